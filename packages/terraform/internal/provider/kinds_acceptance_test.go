package provider

import (
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const (
	handbook = "resource \"latchkey_knowledge_base\" \"kb\" {\n  name = \"Handbook\"\n}\n"
	inKb     = "  kb_id = latchkey_knowledge_base.kb.id\n"
)

// changeAt changes something at the path of a resource, as somebody else would.
func changeAt(path string, body object) func(*world, map[string]string) {
	return func(w *world, found map[string]string) {
		w.call(http.MethodPatch, fill(path, textsOf(found)), body)
	}
}

func deleteAt(path string) func(*world, map[string]string) {
	return func(w *world, found map[string]string) {
		w.call(http.MethodDelete, fill(path, textsOf(found)), nil)
	}
}

func textsOf(found map[string]string) object {
	values := object{}
	for name, value := range found {
		values[name] = value
	}
	return values
}

func TestAccKnowledgeBase(t *testing.T) {
	life{
		kind:     knowledgeBase,
		first:    `name = "Handbook"`,
		second:   "name = \"Handbook\"\ndescription = \"What we promise\"",
		patch:    `{"description": "What we promise"}`,
		drift:    changeAt("/kbs/{id}", object{"name": "Renamed"}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt("/kbs/{id}"),
	}.run(t)
}

func TestAccSettings(t *testing.T) {
	life{
		kind:   settings,
		before: handbook,
		first:  inKb + "top_k = 7\nretention_days = 30\ngreeting = jsonencode({ en = \"Hello\", de = \"Hallo\" })",
		second: inKb + "top_k = 8\ngreeting = jsonencode({ de = \"Hallo\", en = \"Hello\" })\nallowed_origins = [\"https://shop.example.com\"]\n" +
			"budget_per_end_user = { period = \"day\", messages = 20, soft = 0.8 }",
		patch: `{"top_k": 8, "retention_days": null, "allowed_origins": ["https://shop.example.com"], ` +
			`"budget_per_end_user": {"period": "day", "messages": 20, "soft": 0.8}}`,
		drift:    changeAt("/kbs/{kb_id}/settings", object{"top_k": 3}),
		repaired: plancheck.ResourceActionUpdate,
		// An import takes none of them over.
		ignoredOnImport: []string{"top_k", "greeting", "allowed_origins", "budget_per_end_user"},
	}.run(t)
}

func TestAccMember(t *testing.T) {
	life{
		kind:   member,
		before: handbook,
		first:  inKb + "user_id = \"group:support\"\nrole = \"viewer\"",
		second: inKb + "user_id = \"group:support\"\nrole = \"member\"",
		drift: func(w *world, found map[string]string) {
			w.call(http.MethodPut, fill(memberPath, textsOf(found)), object{"role": "owner"})
		},
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt(memberPath),
	}.run(t)
}

func TestAccAccessSet(t *testing.T) {
	life{
		kind:     accessSet,
		before:   handbook,
		first:    inKb + "name = \"Support\"\nallow = [\"group:support\"]",
		second:   inKb + "name = \"Support\"\nallow = [\"user:zoe\", \"group:support\"]\ndeny = [\"user:max\"]",
		patch:    `{"allow": ["group:support", "user:zoe"], "deny": ["user:max"]}`,
		drift:    changeAt("/access-sets/{id}", object{"allow": []string{"everyone"}}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt("/access-sets/{id}"),
	}.run(t)
}

func TestAccTrustedIssuer(t *testing.T) {
	body := inKb + "issuer = \"https://token.example.com\"\naudience = \"latchkey-test\"\nscopes = [\"query\"]\n" +
		"claims = jsonencode({ repository = \"shop/web\", fork = false })\n"
	life{
		kind:     trustedIssuer,
		before:   handbook,
		first:    body,
		second:   body + `subject = "repo:shop/*"`,
		drift:    deleteAt("/trusted-issuers/{id}"),
		repaired: plancheck.ResourceActionCreate,
	}.run(t)
}

func TestAccSource(t *testing.T) {
	body := inKb + "type = \"git\"\nname = \"Docs\"\nconfig = jsonencode({ url = \"https://git.example.com/docs.git\", branch = \"main\" })\n" +
		"credentials_wo = { token = \"t0ken\" }\n"
	life{
		kind:     source,
		before:   handbook,
		first:    body + "credentials_wo_version = 1\nschedule = { cron = \"0 3 * * *\" }",
		second:   body + "credentials_wo_version = 2\nschedule = { every_minutes = 30 }\npaused = true",
		patch:    `{"credentials": {"token": "t0ken"}, "schedule": {"every_minutes": 30}, "state": "paused"}`,
		drift:    changeAt("/sources/{id}", object{"state": "active"}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt("/sources/{id}"),
	}.run(t)
}

func TestAccWebhook(t *testing.T) {
	life{
		kind:     webhook,
		before:   handbook,
		first:    inKb + "url = \"http://127.0.0.1:9/hook\"\nevents = [\"document.failed\"]",
		second:   inKb + "url = \"http://127.0.0.1:9/hook\"\nevents = [\"document.ready\", \"document.failed\"]",
		patch:    `{"events": ["document.failed", "document.ready"]}`,
		drift:    changeAt("/webhooks/{id}", object{"state": "deactivated"}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt("/webhooks/{id}"),
	}.run(t)
}

func TestAccServiceAccount(t *testing.T) {
	life{
		kind:     serviceAccount,
		before:   handbook,
		first:    "name = \"Deployment\"\nkbs = [{ kb_id = latchkey_knowledge_base.kb.id, role = \"member\" }]",
		second:   "name = \"CI\"\nkbs = [{ kb_id = latchkey_knowledge_base.kb.id, role = \"member\" }]",
		patch:    `{"name": "CI"}`,
		drift:    changeAt("/service-accounts/{id}", object{"kbs": []any{}}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   deleteAt("/service-accounts/{id}"),
	}.run(t)
}

func TestAccServiceAccountKey(t *testing.T) {
	body := "service_account_id = latchkey_service_account.sa.id\nname = \"CI\"\nscopes = [\"keys:read\", \"documents:write\"]\n"
	life{
		kind: serviceAccountKey,
		before: handbook + "resource \"latchkey_service_account\" \"sa\" {\n  name = \"CI\"\n" +
			"  kbs = [{ kb_id = latchkey_knowledge_base.kb.id, role = \"member\" }]\n}\n",
		first:    body,
		second:   body + `allowed_ips = ["192.0.2.0/24"]`,
		patch:    `{"allowed_ips": ["192.0.2.0/24"]}`,
		drift:    changeAt("/api-keys/{id}", object{"name": "Renamed"}),
		repaired: plancheck.ResourceActionUpdate,
		vanish:   changeAt("/api-keys/{id}/revoke", nil),
	}.run(t)
}

func TestAccAPIKey(t *testing.T) {
	body := inKb + "name = \"Shop\"\nenvironment = \"test\"\nexpires_at = \"2099-01-01T00:00:00+01:00\"\n" +
		"filter = jsonencode({ type = \"eq\", key = \"lang\", value = \"en\" })\nself_rotation = { grace_seconds = 60 }\n"
	life{
		kind:     apiKey,
		before:   handbook,
		first:    body,
		second:   body + "budget = { period = \"month\", cost = 12.5 }\nrate_limit_per_minute = 60",
		patch:    `{"budget": {"period": "month", "cost": 12.5}, "rate_limit_per_minute": 60}`,
		drift:    changeAt("/api-keys/{id}", object{"scopes": []string{"documents:read"}, "filter": nil}),
		repaired: plancheck.ResourceActionUpdate,
		repair:   `{"scopes": ["chat", "feedback", "query"], "filter": {"type": "eq", "key": "lang", "value": "en"}}`,
		vanish:   changeAt("/api-keys/{id}/revoke", nil),
		// The service writes it in its own notation.
		ignoredOnImport: []string{"expires_at"},
	}.run(t)
}
