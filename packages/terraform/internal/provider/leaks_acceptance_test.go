package provider

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commands runs Terraform with the built provider in a folder, as users do, and logs everything that can be logged.
type commands struct {
	t           *testing.T
	folder      string
	environment []string
}

func newCommands(t *testing.T, environment ...string) *commands {
	t.Helper()
	binaries, folder := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(binaries, "terraform-provider-latchkey"), ".")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, output)
	}
	settings := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"latchkey/latchkey\" = %q\n  }\n  direct {}\n}\n", binaries)
	writeFile(t, filepath.Join(folder, "terraform.rc"), settings)
	return &commands{t, folder, append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + folder,
		"TF_CLI_CONFIG_FILE=" + filepath.Join(folder, "terraform.rc"),
		"TF_LOG=TRACE", "TF_LOG_PATH=" + filepath.Join(folder, "trace.log"), "TF_LOG_PROVIDER=TRACE",
	}, environment...)}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// terraform runs a command, which must succeed.
func (c *commands) terraform(arguments ...string) string {
	c.t.Helper()
	output, err := c.try(arguments...)
	if err != nil {
		c.t.Fatalf("terraform %s: %s\n%s", strings.Join(arguments, " "), err, output)
	}
	return output
}

// try runs a command; what it prints is kept among the files.
func (c *commands) try(arguments ...string) (string, error) {
	c.t.Helper()
	command := exec.Command("terraform", append(arguments, "-no-color")...)
	command.Dir, command.Env = c.folder, c.environment
	output, err := command.CombinedOutput()
	writeFile(c.t, filepath.Join(c.folder, "output-"+arguments[0]+".txt"), string(output))
	return string(output), err
}

// texts are all files of the folder, and those packed in plans.
func (c *commands) texts() map[string][]byte {
	c.t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(c.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = content
		archive, notZip := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if notZip != nil {
			return err
		}
		for _, file := range archive.File {
			opened, err := file.Open()
			if err != nil {
				return err
			}
			if all[path+"!"+file.Name], err = io.ReadAll(opened); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

const everything = `
terraform {
  required_providers {
    latchkey = {
      source = "latchkey/latchkey"
    }
  }
}
variable "round" { type = number }
variable "token" {
  type      = string
  ephemeral = true
}
module "handbook" {
  source       = "./modules/knowledge-base"
  name         = "Handbook"
  environments = {
    staging    = { secret_version = var.round }
    production = { live = true, budget = { period = "month", messages = 1000 } }
  }
  members  = { "group:support" = "viewer" }
  settings = { top_k = 4 + var.round }
}
resource "latchkey_webhook" "hook" {
  kb_id          = module.handbook.id
  url            = "http://127.0.0.1:9/hook"
  events         = ["document.failed"]
  secret_version = var.round
}
ephemeral "latchkey_secret" "key" {
  for_each = module.handbook.keys
  id       = each.value.id
}
ephemeral "latchkey_secret" "hook" {
  id = latchkey_webhook.hook.id
}
ephemeral "latchkey_api_key" "run" {
  kb_id       = module.handbook.id
  name        = "This run"
  environment = "test"
}
`

func TestAccNoSecretIsWrittenDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.call(http.MethodPost, "/service-accounts", object{"name": "Deployment", "all": true})
	scopes := []string{"kbs:write", "documents:write", "keys:write", "settings:write", "members:write"}
	managementKey := w.call(http.MethodPost, fill("/service-accounts/{id}/api-keys", account), object{"name": "CI", "scopes": scopes}).text("api_key")
	token := "t0ken-" + w.user
	c := newCommands(t, "LATCHKEY_URL="+w.url, "LATCHKEY_API_KEY="+managementKey, "TF_VAR_token="+token)
	if err := os.CopyFS(filepath.Join(c.folder, "modules"), os.DirFS("../../modules")); err != nil {
		t.Fatal(err)
	}
	configuration := everything
	for name, value := range map[string]string{
		"staging": `ephemeral.latchkey_secret.key["staging"].value`, "literal": "var.token",
		"hook": "ephemeral.latchkey_secret.hook.value", "run": "ephemeral.latchkey_api_key.run.api_key",
	} {
		configuration += fmt.Sprintf(`
resource "latchkey_source" %q {
  kb_id                  = module.handbook.id
  type                   = "git"
  name                   = %q
  config                 = jsonencode({ url = "https://git.example.com/docs.git" })
  credentials_wo         = { token = %s }
  credentials_wo_version = var.round
}
`, name, name, value)
	}
	writeFile(t, filepath.Join(c.folder, "main.tf"), configuration)
	// With dev_overrides there is nothing to init.
	c.terraform("get")
	c.terraform("validate")
	for _, round := range []string{"1", "2"} {
		c.terraform("plan", "-out=round-"+round+".plan", "-var=round="+round)
		c.terraform("apply", "round-"+round+".plan")
		c.terraform("show", "-json", "round-"+round+".plan")
	}
	c.terraform("plan", "-detailed-exitcode", "-var=round=2")
	c.terraform("show", "-json")
	kept := c.texts()
	for _, body := range append(w.bodies(http.MethodPost, "/sources"), w.bodies(http.MethodPatch, "/sources")...) {
		if !strings.Contains(body, token) && !w.issued[secretForm.FindString(body)] {
			t.Errorf("what is stored is no secret: %s", body)
		}
	}
	c.terraform("destroy", "-auto-approve", "-var=round=2")
	for path, text := range c.texts() {
		kept["after "+path] = text
	}
	secrets := append([]string{token, managementKey}, secretsOf(w)...)
	// Two keys and a successor, two secrets of the webhook, and keys for at least two runs.
	if len(secrets) < 9 {
		t.Fatalf("only %d secrets were issued", len(secrets))
	}
	size := 0
	for path, text := range kept {
		size += len(text)
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("a secret (%s…) is in %s", secret[:10], filepath.Base(path))
			}
		}
	}
	t.Logf("%d secrets looked for in %d files of %d bytes", len(secrets), len(kept), size)
}

func secretsOf(w *world) []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := []string{}
	for secret := range w.issued {
		all = append(all, secret)
	}
	return all
}
