package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// openSecret gives the value of latchkey_secret.
func openSecret(t *testing.T, secrets *issuedSecrets, id string) *string {
	t.Helper()
	opened := &ephemeralSecret{client: &client{secrets: secrets}}
	var described ephemeral.SchemaResponse
	opened.Schema(t.Context(), ephemeral.SchemaRequest{}, &described)
	kind, _ := described.Schema.Type().TerraformType(t.Context()).(tftypes.Object)
	raw := tftypes.NewValue(kind, map[string]tftypes.Value{
		"id":        tftypes.NewValue(tftypes.String, id),
		"is_issued": tftypes.NewValue(tftypes.Bool, nil),
		"value":     tftypes.NewValue(tftypes.String, nil),
	})
	response := ephemeral.OpenResponse{Result: tfsdk.EphemeralResultData{Schema: described.Schema}}
	opened.Open(t.Context(), ephemeral.OpenRequest{Config: tfsdk.Config{Schema: described.Schema, Raw: raw}}, &response)
	var model secretModel
	if diagnostics := append(response.Diagnostics, response.Result.Get(t.Context(), &model)...); diagnostics.HasError() {
		t.Fatal(diagnostics)
	}
	return model.Value.ValueStringPointer()
}

func TestASecretIsThereInTheRunThatIssuesIt(t *testing.T) {
	secrets := newIssuedSecrets()
	if value := openSecret(t, secrets, "key_1"); value != nil {
		t.Errorf("an apply could store %q, which is no secret", *value)
	}
	secrets.setPlanned("key_1", true)
	if value := openSecret(t, secrets, "key_1"); value == nil || secretForm.MatchString(*value) {
		t.Error("providers refuse a plan without a value")
	}
	secrets.setPlanned("key_1", false)
	if value := openSecret(t, secrets, "key_1"); value != nil {
		t.Errorf("an apply that changes the key otherwise could store %q, which is no secret", *value)
	}
	secrets.keep("key_1", "s3cret")
	if value := openSecret(t, secrets, "key_1"); value == nil || *value != "s3cret" {
		t.Error("the secret is not handed over")
	}
}
