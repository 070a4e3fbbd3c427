package provider

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// vault is a source whose credentials are a secret: what stores it.
func vault(name, secret, version string) string {
	return fmt.Sprintf(`
resource "latchkey_source" "vault" {
  kb_id  = latchkey_knowledge_base.kb.id
  type   = "git"
  name   = %q
  config = jsonencode({ url = "https://git.example.com/docs.git" })
  credentials_wo         = { token = %s }
  credentials_wo_version = %s
}
`, name, secret, version)
}

func shopKey(more string) string {
	return handbook + `
resource "latchkey_api_key" "shop" {
  kb_id       = latchkey_knowledge_base.kb.id
  name        = "Shop"
  environment = "live"
` + more + `
}
ephemeral "latchkey_secret" "shop" {
  id = latchkey_api_key.shop.id
}
`
}

const shopSecret = "ephemeral.latchkey_secret.shop.value"

// stored finds the secret that was sent as the credentials of a source.
func (w *world) stored(method string) string {
	w.t.Helper()
	for _, body := range w.bodies(method, "/sources") {
		if secret := secretForm.FindString(body); secret != "" {
			return secret
		}
	}
	w.t.Error("no secret was handed over")
	return ""
}

// opens says whether the service takes a key.
func (w *world) opens(secret string) bool {
	holder := &client{endpoint: w.api.endpoint, headers: map[string]string{"Authorization": "Bearer " + secret}, http: http.DefaultClient}
	_, err := holder.get(w.t.Context(), "/key")
	return err == nil
}

// keys are the keys of a knowledge base.
func (w *world) keys(kb string) []object {
	found := []object{}
	_, err := w.api.find(w.t.Context(), "/kbs/"+url.PathEscape(kb)+"/api-keys", func(key object) bool {
		found = append(found, key)
		return false
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

func TestAccSecretIsHandedOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var first, second, kb string
	version := "latchkey_api_key.shop.secret_version"
	w.test(
		resource.TestStep{
			Config: w.configure(shopKey("") + vault("Vault", shopSecret, version)),
			Check: resource.ComposeTestCheckFunc(remember("latchkey_knowledge_base.kb", "id", &kb), func(*terraform.State) error {
				first = w.stored(http.MethodPost)
				return require(w.opens(first), "the key that is stored works")
			}),
		},
		// What changes otherwise, or not at all, leaves the secret alone.
		resource.TestStep{
			Config: w.configure(shopKey("description = \"Orders\"") + vault("Vault 2", shopSecret, version)),
			Check: func(*terraform.State) error {
				bodies := strings.Join(w.bodies(http.MethodPatch, "/sources"), "")
				return require(w.opens(first) && sameJSON(bodies, `{"name": "Vault 2"}`), "nothing was stored instead")
			},
		},
		// The secret cannot be stored a second time, and nothing is stored in its place.
		resource.TestStep{
			Config:      w.configure(shopKey("description = \"Orders\"") + vault("Vault 2", shopSecret, "9")),
			ExpectError: regexp.MustCompile(`credentials_wo\.token is null`),
		},
		resource.TestStep{
			Config: w.configure(shopKey("secret_version = 2\ndescription = \"Orders\"\nrate_limit_per_minute = 10") + vault("Vault 2", shopSecret, version)),
			Check: func(*terraform.State) error {
				second = w.stored(http.MethodPatch)
				return require(w.opens(first) && w.opens(second) && first != second, "the successor is stored, and the old key works in its grace period")
			},
		},
		// Rotated by somebody else, it is the same key for Terraform.
		resource.TestStep{
			PreConfig: func() {
				w.call(http.MethodPost, "/api-keys/"+active(w.keys(kb)).text("id")+"/rotate", object{})
			},
			Config:           w.configure(shopKey("secret_version = 2\ndescription = \"Orders\"\nrate_limit_per_minute = 10") + vault("Vault 2", shopSecret, version)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			Config: w.configure(handbook),
			Check: func(*terraform.State) error {
				return require(len(w.keys(kb)) == 0 && !w.opens(first) && !w.opens(second), "the predecessors end with the key")
			},
		},
	)
}

// active finds the key that has no successor.
func active(keys []object) object {
	for _, key := range keys {
		if key["active"] == true && key["rotated_to"] == nil {
			return key
		}
	}
	return nil
}

func require(isTrue bool, what string) error {
	if isTrue {
		return nil
	}
	return fmt.Errorf("it is not so that %s", what)
}

func TestAccWebhookSecretIsHandedOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := func(version string) string {
		return w.configure(handbook + `
resource "latchkey_webhook" "hook" {
  kb_id          = latchkey_knowledge_base.kb.id
  url            = "http://127.0.0.1:9/hook"
  events         = ["document.failed"]
  secret_version = ` + version + `
}
ephemeral "latchkey_secret" "hook" {
  id = latchkey_webhook.hook.id
}
` + vault("Vault", "ephemeral.latchkey_secret.hook.value", "latchkey_webhook.hook.secret_version"))
	}
	var first, second string
	w.test(
		resource.TestStep{Config: hook("1"), Check: func(*terraform.State) error {
			first = w.stored(http.MethodPost)
			return nil
		}},
		resource.TestStep{Config: hook("2"), Check: func(*terraform.State) error {
			return require(w.stored(http.MethodPatch) != first, "it is another secret")
		}},
		resource.TestStep{Config: hook("3"), Check: func(*terraform.State) error {
			second = w.stored(http.MethodPatch)
			return nil
		}},
		resource.TestStep{Config: hook("2"), Check: func(*terraform.State) error {
			return require(w.stored(http.MethodPatch) != second, "a version that was there before issues another secret too")
		}},
	)
}

func TestAccInterruptedRunsLeaveOneKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var kb string
	lose := func(part string) func() {
		return func() {
			w.loses = func(request *http.Request) bool {
				return request.Method == http.MethodPost && strings.HasSuffix(request.URL.Path, part)
			}
		}
	}
	heal := func() { w.loses = nil }
	version := "latchkey_api_key.shop.secret_version"
	first := w.configure(shopKey("") + vault("Vault", shopSecret, version))
	second := w.configure(shopKey("secret_version = 2") + vault("Vault", shopSecret, version))
	w.test(
		resource.TestStep{Config: w.configure(handbook), Check: remember("latchkey_knowledge_base.kb", "id", &kb)},
		resource.TestStep{PreConfig: lose("/api-keys"), Config: first, ExpectError: regexp.MustCompile("EOF")},
		resource.TestStep{PreConfig: heal, Config: first, Check: func(*terraform.State) error {
			return require(len(w.keys(kb)) == 1 && w.opens(w.stored(http.MethodPost)), "there is one key, whose secret is stored")
		}},
		resource.TestStep{PreConfig: lose("/rotate"), Config: second, ExpectError: regexp.MustCompile("EOF")},
		resource.TestStep{PreConfig: heal, Config: second, Check: func(*terraform.State) error {
			return require(len(w.keys(kb)) == 2 && w.opens(w.stored(http.MethodPatch)), "there is one successor, whose secret is stored")
		}},
	)
}

func TestAccKeysCreatedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var kb string
	w.test(resource.TestStep{
		Config: w.configure(handbook + `
resource "latchkey_api_key" "each" {
  count       = 12
  kb_id       = latchkey_knowledge_base.kb.id
  # Some have one name.
  name        = "Shop ${floor(count.index / 2)}"
  environment = "test"
}
resource "latchkey_access_set" "each" {
  count = 6
  kb_id = latchkey_knowledge_base.kb.id
  name  = "Set ${count.index}"
  allow = ["everyone"]
}
`),
		Check: resource.ComposeTestCheckFunc(remember("latchkey_knowledge_base.kb", "id", &kb), func(state *terraform.State) error {
			ids := map[string]bool{}
			for n := range 12 {
				ids[state.RootModule().Resources[fmt.Sprintf("latchkey_api_key.each.%d", n)].Primary.ID] = true
			}
			return require(len(ids) == 12 && len(w.keys(kb)) == 12, "each has a key of its own")
		}),
	})
}

func TestAccReplacementCreatedFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var kb string
	config := w.configure(shopKey("lifecycle {\n  create_before_destroy = true\n}") + vault("Vault", shopSecret, "2"))
	w.test(
		resource.TestStep{Config: config, Check: remember("latchkey_knowledge_base.kb", "id", &kb)},
		resource.TestStep{PreConfig: func() { w.bodies("", "") }, Config: config, Taint: []string{"latchkey_api_key.shop", "latchkey_source.vault"}, Check: func(*terraform.State) error {
			return require(len(w.keys(kb)) == 1 && w.opens(w.stored(http.MethodPost)), "the key that is stored works")
		}},
	)
}

func TestAccKeyForOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var kb string
	w.test(
		resource.TestStep{Config: w.configure(handbook), Check: remember("latchkey_knowledge_base.kb", "id", &kb)},
		resource.TestStep{
			Config: w.configure(handbook + `
ephemeral "latchkey_api_key" "run" {
  kb_id       = latchkey_knowledge_base.kb.id
  name        = "Test of what was set up"
  environment = "test"
  scopes      = ["query"]
}
` + vault("Vault", "ephemeral.latchkey_api_key.run.api_key", "1")),
			Check: func(*terraform.State) error {
				secret := w.stored(http.MethodPost)
				return require(len(w.keys(kb)) == 0 && w.issued[secret] && !w.opens(secret), "the key ends with the run")
			},
		},
	)
}

func TestAccSuccessorThatWasDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var kb string
	w.test(
		resource.TestStep{Config: w.configure(shopKey("")), Check: remember("latchkey_knowledge_base.kb", "id", &kb)},
		resource.TestStep{
			PreConfig: func() {
				successor := w.call(http.MethodPost, "/api-keys/"+active(w.keys(kb)).text("id")+"/rotate", object{})
				w.call(http.MethodDelete, "/api-keys/"+successor.text("id"), nil)
			},
			Config:           w.configure(shopKey("secret_version = 2")),
			ConfigPlanChecks: plans("latchkey_api_key.shop", plancheck.ResourceActionCreate),
			Check: resource.TestCheckResourceAttrWith("latchkey_api_key.shop", "id", func(id string) error {
				return require(active(w.keys(kb)).text("id") == id, "another key is there")
			}),
		},
	)
}

func TestAccSharedKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(
		resource.TestStep{
			Config: w.configure(handbook + `
resource "latchkey_knowledge_base" "other" {
  name = "Other"
}
resource "latchkey_api_key" "shared" {
  name        = "Shop"
  environment = "live"
  kbs = [
    { kb_id = latchkey_knowledge_base.kb.id, scopes = ["query", "chat"] },
    { kb_id = latchkey_knowledge_base.other.id, scopes = ["query"], filter = jsonencode({ value = "en", key = "lang", type = "eq" }) },
  ]
}
`),
			Check: resource.TestCheckResourceAttrPair("latchkey_api_key.shared", "kb_id", "latchkey_knowledge_base.kb", "id"),
		},
		resource.TestStep{ResourceName: "latchkey_api_key.shared", ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"secret_version", "kbs.1.filter"}},
	)
}

func TestAccRefusalsNameTheAttribute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(resource.TestStep{
		Config:      w.configure(shopKey("allowed_ips = [\"localhost\"]")),
		ExpectError: regexp.MustCompile(`(?s)400 validation_failed.*allowed_ips = \["localhost"\].*IP addresses and CIDR`),
	})
}
