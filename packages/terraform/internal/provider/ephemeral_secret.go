package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ephemeralSecret hands over a secret that the service has issued in this run. It changes nothing, so that it can be
// opened by every plan.
type ephemeralSecret struct{ client *client }

var _ ephemeral.EphemeralResourceWithConfigure = &ephemeralSecret{}

type secretModel struct {
	ID       types.String `tfsdk:"id"`
	IsIssued types.Bool   `tfsdk:"is_issued"`
	Value    types.String `tfsdk:"value"`
}

func (e *ephemeralSecret) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = "latchkey_secret"
}

func (e *ephemeralSecret) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "The secret of a `latchkey_api_key`, `latchkey_service_account_key` or `latchkey_webhook`, for a write-only attribute of what stores it. " +
			"The service shows a secret once and the state never has it, so it is known only in the run that creates the resource or changes its `secret_version`. " +
			"Bind the version of the write-only attribute to `secret_version`: it is then written in that run, and in no other.\n\n" +
			"In other plans the value is a sentence that says so, because providers check that a value is set. In other applies it is null, so that storing it fails: " +
			"for example, if what stores it failed in the first run. Raise `secret_version` then, which issues another secret. " +
			"Within a larger expression, such as `jsonencode`, write `coalesce(…)` around the value: it refuses null.",
		Attributes: map[string]schema.Attribute{
			"id":        schema.StringAttribute{Required: true, MarkdownDescription: "The id of the key or webhook: a reference to its resource."},
			"is_issued": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether this run has issued the secret."},
			"value":     schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The secret."},
		},
	}
}

func (e *ephemeralSecret) Configure(_ context.Context, request ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	if configured, ok := request.ProviderData.(*client); ok {
		e.client = configured
	}
}

func (e *ephemeralSecret) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var model secretModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	id := model.ID.ValueString()
	secret, isIssued := e.client.secrets.find(id)
	model.IsIssued, model.Value = types.BoolValue(isIssued), types.StringNull()
	if isIssued {
		model.Value = types.StringValue(secret)
	} else if e.client.secrets.isPlanned(id) {
		// Terraform opens it in every plan, after it has planned what the id belongs to. Providers check there that a
		// value is set, though nothing stores it.
		model.Value = types.StringValue("not a secret: that of " + id + " was issued in another run")
	}
	response.Diagnostics.Append(response.Result.Set(ctx, &model)...)
}
