package provider

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

func TestMain(m *testing.M) {
	firstPause = time.Millisecond
	os.Exit(m.Run())
}

// world is a real service, seen through a proxy that records what is asked, and a person of this test's own.
type world struct {
	t     *testing.T
	url   string
	user  string
	api   *client
	mutex sync.Mutex
	asked []asked
	// Secrets that the service has issued.
	issued map[string]bool
	// Whether the answer to a request is lost.
	loses func(*http.Request) bool
}

type asked struct {
	method, path, body string
}

var secretForm = regexp.MustCompile(`\brag_(live|test|admin)_[0-9A-Za-z]{48}\b|\bwhsec_[0-9A-Za-z+/]{43}=`)

// newWorld skips the test unless it is asked for, and told of a service that allows webhooks to loopback.
func newWorld(t *testing.T) *world {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("set TF_ACC=1, and LATCHKEY_TEST_URL to a service whose data may be changed")
	}
	target, err := url.Parse(os.Getenv("LATCHKEY_TEST_URL"))
	if err != nil || target.Host == "" {
		t.Fatal("LATCHKEY_TEST_URL must be the address of a service")
	}
	w := &world{t: t, user: "terraform-" + strings.ToLower(rand.Text()[:12]), issued: map[string]bool{}}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(response *http.Response) error {
		body, err := io.ReadAll(response.Body)
		response.Body = io.NopCloser(bytes.NewReader(body))
		w.mutex.Lock()
		defer w.mutex.Unlock()
		for _, secret := range secretForm.FindAllString(string(body), -1) {
			w.issued[secret] = true
		}
		if w.loses != nil && w.loses(response.Request) {
			panic(http.ErrAbortHandler)
		}
		return err
	}
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		w.mutex.Lock()
		w.asked = append(w.asked, asked{request.Method, request.URL.Path, string(body)})
		w.mutex.Unlock()
		request.Host = target.Host
		proxy.ServeHTTP(answer, request)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	w.api = &client{endpoint: target.String(), headers: map[string]string{"X-Idp-User-Id": w.user}, http: http.DefaultClient}
	return w
}

// configure puts the provider before a configuration.
func (w *world) configure(rest string) string {
	return fmt.Sprintf("provider \"latchkey\" {\n  endpoint = %q\n  user_id = %q\n}\n%s", w.url, w.user, rest)
}

func (w *world) test(steps ...resource.TestStep) {
	w.t.Helper()
	resource.Test(w.t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_11_0)},
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"latchkey": providerserver.NewProtocol6WithError(New("test")()),
		},
		Steps: steps,
	})
}

// bodies takes the bodies of such requests: the next call gives later ones.
func (w *world) bodies(method, pathPart string) []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	found, others := []string{}, []asked{}
	for _, one := range w.asked {
		if strings.HasPrefix(one.method, method) && strings.Contains(one.path, pathPart) {
			found = append(found, one.body)
		} else {
			others = append(others, one)
		}
	}
	w.asked = others
	return found
}

func (w *world) call(method, path string, body object) object {
	w.t.Helper()
	answer, err := w.api.send(w.t.Context(), method, path, body, "")
	if err != nil {
		w.t.Fatalf("%s %s: %s", method, path, err)
	}
	return answer
}

// remember takes an attribute out of the state.
func remember(address, name string, into *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, name, func(value string) error {
		*into = value
		return nil
	})
}

func plans(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// importID joins attributes of a resource by slashes.
func importID(address string, names []string) resource.ImportStateIdFunc {
	return func(state *terraform.State) (string, error) {
		parts := []string{}
		for _, name := range names {
			parts = append(parts, state.RootModule().Resources[address].Primary.Attributes[name])
		}
		return strings.Join(parts, "/"), nil
	}
}

// life is what every kind is tested by: it is created, read as data, changed by its changed fields alone, repaired
// after it was changed by somebody else, imported, and created again after it was deleted by somebody else. After each step the
// next plan must be empty, and at the end the destruction must succeed.
type life struct {
	kind            *kind
	before          string
	first, second   string
	patch           string
	drift           func(w *world, found map[string]string)
	repaired        plancheck.ResourceActionType
	repair          string
	vanish          func(w *world, found map[string]string)
	ignoredOnImport []string
}

func (l life) run(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	address := "latchkey_" + l.kind.name + ".test"
	found := map[string]string{}
	read := func(state *terraform.State) error {
		for name, value := range state.RootModule().Resources[address].Primary.Attributes {
			found[name] = value
		}
		return nil
	}
	identity, pairs := "", []resource.TestCheckFunc{read}
	for _, name := range l.kind.identity {
		identity += fmt.Sprintf("  %s = %s.%s\n", name, address, name)
	}
	for name, attribute := range l.kind.attributes {
		if text, isText := attribute.(textAttribute); isText && !text.Optional && text.CustomType == nil {
			pairs = append(pairs, resource.TestCheckResourceAttrPair("data."+address, name, address, name))
		}
	}
	config := func(body string) string {
		return w.configure(fmt.Sprintf("%s\nresource \"latchkey_%s\" \"test\" {\n%s\n}\ndata \"latchkey_%s\" \"test\" {\n%s}\n", l.before, l.kind.name, body, l.kind.name, identity))
	}
	steps := []resource.TestStep{
		{Config: config(l.first), Check: resource.ComposeAggregateTestCheckFunc(pairs...)},
		{
			PreConfig: func() { w.bodies("", "") },
			Config:    config(l.second),
			Check:     resource.ComposeAggregateTestCheckFunc(append(pairs, w.sends(l.patch))...),
		},
		{
			PreConfig:        func() { l.drift(w, found) },
			Config:           config(l.second),
			ConfigPlanChecks: plans(address, l.repaired),
			Check:            resource.ComposeAggregateTestCheckFunc(read, w.sends(l.repair)),
		},
		{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc:                    importID(address, l.kind.identity),
			ImportStateVerifyIdentifierAttribute: l.kind.identity[len(l.kind.identity)-1],
			ImportStateVerifyIgnore:              append(l.ignoredOnImport, "secret_version", "credentials_wo_version"),
		},
	}
	if l.vanish != nil {
		steps = append(steps, resource.TestStep{
			PreConfig:        func() { l.vanish(w, found) },
			Config:           config(l.second),
			ConfigPlanChecks: plans(address, plancheck.ResourceActionCreate),
		})
	}
	w.test(steps...)
}

// sends checks that the changed fields are sent, and no others.
func (w *world) sends(expected string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		bodies := append(w.bodies(http.MethodPatch, ""), "none")
		if expected != "" && !sameJSON(bodies[0], expected) {
			return fmt.Errorf("not the changed fields alone are sent: %s", bodies[0])
		}
		return nil
	}
}

func sameJSON(one, other string) bool {
	first, err := parseJSON(one)
	second, err2 := parseJSON(other)
	text, _ := json.Marshal(first)
	text2, _ := json.Marshal(second)
	return err == nil && err2 == nil && bytes.Equal(text, text2)
}
