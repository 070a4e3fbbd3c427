package provider

import (
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

func sourceOf(kind, name, config, more string) string {
	return handbook + "resource \"latchkey_source\" \"test\" {\n" + inKb +
		"type = \"" + kind + "\"\nname = \"" + name + "\"\nconfig = jsonencode(" + config + ")\n" + more + "\n}\n"
}

// The service answers each of these in another form.
var configurations = map[string]struct{ config, more string }{
	"website": {`{ sitemap_url = "https://docs.example.com/sitemap.xml", include = [] }`, ""},
	"s3": {
		`{ endpoint = "https://s3.example.com ", region = "eu-1", bucket = "docs", access = { "./hr/" = { allow = ["group:hr"] } } }`,
		"credentials_wo = { access_key_id = \"a\", secret_access_key = \"b\" }\ncredentials_wo_version = 1",
	},
	"git":    {`{ url = "https://git.example.com/docs.git", folder = "docs/" }`, ""},
	"folder": {`{ path = "/srv", access = { "hr/" = { allow = ["group:hr"], deny = [] } } }`, ""},
	"confluence": {
		`{ base_url = " https://wiki.example.com", space = "DOCS" }`,
		"credentials_wo = { token = \"t0ken\" }\ncredentials_wo_version = 1",
	},
	"webdav": {
		`{ url = "https://cloud.example.com/remote.php/dav/files/ada ", exclude = [], access = { "/hr" = { allow = ["group:hr"] } } }`,
		"credentials_wo = { username = \"ada\", password = \"b\" }\ncredentials_wo_version = 1",
	},
	"imap": {
		`{ url = "imaps://mail.example.com", folders = [], since = "2025-01-31" }`,
		"credentials_wo = { username = \"ada\", password = \"b\" }\ncredentials_wo_version = 1",
	},
}

func TestAccSourcesOfEveryType(t *testing.T) {
	for kind, one := range configurations {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.test(
				resource.TestStep{Config: w.configure(sourceOf(kind, "Docs", one.config, one.more))},
				resource.TestStep{
					PreConfig: func() { w.bodies("", "") },
					Config:    w.configure(sourceOf(kind, "Renamed", one.config, one.more)),
					Check:     w.sends(`{"name": "Renamed"}`),
				},
			)
		})
	}
}

func TestAccConfigThatIsChangedElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address = "latchkey_source.test"
	var id string
	given := func(folder string) string {
		return w.configure(sourceOf("git", "Docs", `{ url = "https://git.example.com/docs.git", folder = "`+folder+`" }`, ""))
	}
	change := func(folder string) func() {
		return func() {
			w.call(http.MethodPatch, "/sources/"+id, object{"config": object{"url": "https://git.example.com/docs.git", "folder": folder}})
			w.bodies("", "")
		}
	}
	sends := func(folder string) resource.TestCheckFunc {
		return w.sends(`{"config": {"folder": "` + folder + `", "url": "https://git.example.com/docs.git"}}`)
	}
	nothing := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	w.test(
		resource.TestStep{Config: given("docs/"), Check: remember(address, "id", &id)},
		resource.TestStep{PreConfig: func() { w.bodies("", "") }, Config: given("guide/"), Check: sends("guide/")},
		resource.TestStep{PreConfig: change("other/"), Config: given("guide/"), ConfigPlanChecks: plans(address, plancheck.ResourceActionUpdate), Check: sends("guide/")},
		// The service answers the same for it.
		resource.TestStep{PreConfig: change("/guide/"), Config: given("guide/"), ConfigPlanChecks: nothing},
		// What somebody else has set is taken over, and then changed back.
		resource.TestStep{PreConfig: change("other"), Config: given("other"), ConfigPlanChecks: nothing},
		resource.TestStep{PreConfig: change("guide"), Config: given("other"), ConfigPlanChecks: plans(address, plancheck.ResourceActionUpdate), Check: sends("other")},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateIdFunc: importID(address, source.identity),
			ImportStateCheck: func(states []*terraform.InstanceState) error {
				expected := `{"folder": "other", "url": "https://git.example.com/docs.git"}`
				return require(sameJSON(states[0].Attributes["config"], expected), "an import shows what is configured there")
			},
		},
	)
}
