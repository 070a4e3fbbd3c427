package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// settingsTest has a knowledge base of which somebody else has set default_access and top_k.
type settingsTest struct {
	*world
	kb string
}

func newSettingsTest(t *testing.T) *settingsTest {
	t.Parallel()
	return &settingsTest{world: newWorld(t)}
}

func (s *settingsTest) change(body object) {
	s.call(http.MethodPatch, fill(settings.item, object{"kb_id": s.kb}), body)
}

// begin creates the knowledge base, and sets what is not managed.
func (s *settingsTest) begin() resource.TestStep {
	return resource.TestStep{Config: s.configure(handbook), Check: resource.ComposeTestCheckFunc(
		remember("latchkey_knowledge_base.kb", "id", &s.kb),
		func(*terraform.State) error {
			s.change(object{"default_access": "closed", "top_k": 9})
			return nil
		},
	)}
}

// apply checks what is sent to change the settings, and that what is not managed stays.
func (s *settingsTest) apply(configuration, sent string) resource.TestStep {
	return resource.TestStep{
		PreConfig: func() { s.bodies("", "") },
		Config:    s.configure(handbook + configuration),
		Check: func(*terraform.State) error {
			bodies := strings.Join(s.bodies(http.MethodPatch, ""), " ")
			if bodies != sent && !sameJSON(bodies, sent) {
				return fmt.Errorf("%q is sent instead of %q", bodies, sent)
			}
			found := s.call(http.MethodGet, fill(settings.item, object{"kb_id": s.kb}), nil)
			return require(found["default_access"] == "closed", "what is not managed stays")
		},
	}
}

func managing(body string) string {
	return "resource \"latchkey_settings\" \"test\" {\n" + inKb + body + "\n}\n"
}

func TestAccSettingsThatManageNothing(t *testing.T) {
	s := newSettingsTest(t)
	s.test(s.begin(), s.apply(managing(""), ""), s.apply(managing("retention_days = 30"), `{"retention_days": 30}`), s.apply("", `{"retention_days": null}`))
	s = &settingsTest{world: newWorld(t)}
	s.test(s.begin(), s.apply(managing(""), ""), s.apply("", ""))
}

func TestAccTheLastSettingIsTakenOut(t *testing.T) {
	s := newSettingsTest(t)
	s.test(s.begin(), s.apply(managing("top_k = 7"), `{"top_k": 7}`), s.apply(managing(""), `{"top_k": null}`), s.apply("", ""))
}

func TestAccImportedSettings(t *testing.T) {
	s := newSettingsTest(t)
	imported := "import {\n  to = latchkey_settings.test\n  id = latchkey_knowledge_base.kb.id\n}\n"
	s.test(s.begin(), s.apply(imported+managing("retention_days = 30"), `{"retention_days": 30}`), s.apply("", `{"retention_days": null}`))
}

func TestAccTheOnlySettingIsResetBySomebody(t *testing.T) {
	s := newSettingsTest(t)
	refresh := resource.TestStep{RefreshState: true, ExpectNonEmptyPlan: true}
	refreshAfter := refresh
	refreshAfter.PreConfig = func() { s.change(object{"retention_days": nil}) }
	managed := s.apply(managing("retention_days = 30"), `{"retention_days": 30}`)
	s.test(s.begin(), managed, refreshAfter, refresh, managed, s.apply("", `{"retention_days": null}`))
}
