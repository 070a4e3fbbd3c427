package provider

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// serve answers requests by a list, then with success.
func serve(t *testing.T, answers ...func(http.ResponseWriter)) (*client, *[]*http.Request) {
	t.Helper()
	requests := []*http.Request{}
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		requests = append(requests, request)
		if len(requests) <= len(answers) {
			answers[len(requests)-1](answer)
			return
		}
		_, _ = fmt.Fprint(answer, `{"id":"a"}`)
	}))
	t.Cleanup(server.Close)
	return &client{endpoint: server.URL, http: server.Client()}, &requests
}

func refuse(status int, code, retryAfter string) func(http.ResponseWriter) {
	return func(answer http.ResponseWriter) {
		if retryAfter != "" {
			answer.Header().Set("Retry-After", retryAfter)
		}
		answer.WriteHeader(status)
		_, _ = fmt.Fprintf(answer, `{"status":%d,"code":%q,"detail":"No.","request_id":"r"}`, status, code)
	}
}

func hangUp(http.ResponseWriter) { panic(http.ErrAbortHandler) }

func TestRequestsAreRepeatedWithOneIdempotencyKey(t *testing.T) {
	c, requests := serve(t, refuse(503, "database_unavailable", "0"), refuse(429, "rate_limited", ""), hangUp)
	answer, err := c.create(t.Context(), "/kbs", object{"name": "a"})
	if err != nil || answer.text("id") != "a" || len(*requests) != 4 {
		t.Fatalf("%v, %v after %d requests", answer, err, len(*requests))
	}
	for _, request := range *requests {
		if key := request.Header.Get("Idempotency-Key"); key == "" || key != (*requests)[0].Header.Get("Idempotency-Key") {
			t.Errorf("a repetition has the Idempotency-Key %q", key)
		}
	}
}

func TestRepetitionsEnd(t *testing.T) {
	always := []func(http.ResponseWriter){}
	for range 2 * maxAttempts {
		always = append(always, refuse(503, "database_unavailable", ""))
	}
	c, requests := serve(t, always...)
	if _, err := c.get(t.Context(), "/kbs"); !hasCode(err, "database_unavailable") || len(*requests) != maxAttempts {
		t.Errorf("%v after %d requests", err, len(*requests))
	}
	c, requests = serve(t, refuse(429, "budget_reached", "86400"))
	if _, err := c.get(t.Context(), "/kbs"); !hasCode(err, "budget_reached") || len(*requests) != 1 {
		t.Errorf("%v after %d requests, though the service asks to wait for a day", err, len(*requests))
	}
	c, requests = serve(t, refuse(409, "legal_hold", ""))
	if _, err := c.get(t.Context(), "/kbs"); !hasCode(err, "legal_hold") || len(*requests) != 1 {
		t.Errorf("%v after %d requests, though it was refused", err, len(*requests))
	}
}

func TestARepeatedDeletionSucceeds(t *testing.T) {
	c, _ := serve(t, hangUp, refuse(404, "not_found", ""))
	if _, err := c.send(t.Context(), http.MethodDelete, "/kbs/a", nil, ""); err != nil {
		t.Error(err)
	}
	c, _ = serve(t, refuse(404, "not_found", ""))
	if _, err := c.send(t.Context(), http.MethodDelete, "/kbs/a", nil, ""); !hasCode(err, "not_found") {
		t.Error("the first deletion found nothing, and said nothing")
	}
}

func TestWrongFieldsAreReportedAtTheirAttributes(t *testing.T) {
	refusal := &problem{Status: 400, Code: "validation_failed", RequestID: "r"}
	for _, field := range []string{"budget.messages", "kbs.0.scopes", "elsewhere"} {
		refusal.Errors = append(refusal.Errors, struct {
			Field   string `json:"field"`
			Message string `json:"message"`
		}{field, field + " is wrong"})
	}
	var diagnostics diag.Diagnostics
	report(&diagnostics, "create an API key", refusal, apiKey.types())
	found := []string{}
	for _, diagnostic := range diagnostics.Errors() {
		at := path.Empty()
		if located, ok := diagnostic.(diag.DiagnosticWithPath); ok {
			at = located.Path()
		}
		found = append(found, at.String()+": "+strings.Split(diagnostic.Detail(), "\n")[0])
	}
	expected := "budget.messages: budget.messages is wrong, kbs: kbs.0.scopes is wrong, : elsewhere: elsewhere is wrong"
	if strings.Join(found, ", ") != expected {
		t.Errorf("%q instead of %q", strings.Join(found, ", "), expected)
	}
}

func TestPathsHoldAnyID(t *testing.T) {
	at := fill(memberPath, object{"kb_id": "kb_1", "user_id": "a/b?c {id}"})
	if at != "/kbs/kb_1/members/a%2Fb%3Fc%20%7Bid%7D" {
		t.Error(at)
	}
}
