package provider

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const defaultLifeSeconds = 3600

// ephemeralKey is a key for one run.
type ephemeralKey struct{ client *client }

var (
	_ ephemeral.EphemeralResourceWithConfigure = &ephemeralKey{}
	_ ephemeral.EphemeralResourceWithClose     = &ephemeralKey{}
)

type ephemeralKeyModel struct {
	KbID        types.String `tfsdk:"kb_id"`
	Name        types.String `tfsdk:"name"`
	Environment types.String `tfsdk:"environment"`
	Scopes      types.Set    `tfsdk:"scopes"`
	ExpiresIn   types.Int64  `tfsdk:"expires_in"`
	ID          types.String `tfsdk:"id"`
	ExpiresAt   types.String `tfsdk:"expires_at"`
	APIKey      types.String `tfsdk:"api_key"`
}

func (e *ephemeralKey) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = "latchkey_api_key"
}

func (e *ephemeralKey) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "An API key for one run, such as for a test of what was set up. Terraform opens it in each plan and each apply that needs it: " +
			"the key is created then, and deleted at the end. If the run is killed, the key expires.\n\n" +
			"For a key that stays, use the resource `latchkey_api_key`, and `latchkey_secret` for its secret.",
		Attributes: map[string]schema.Attribute{
			"kb_id":       schema.StringAttribute{Required: true, MarkdownDescription: "The id of its knowledge base."},
			"name":        schema.StringAttribute{Required: true, MarkdownDescription: "What it is used for: 1 to 100 characters."},
			"environment": schema.StringAttribute{Required: true, MarkdownDescription: "`live` or `test`.", Validators: []validator.String{stringvalidator.OneOf("live", "test")}},
			"scopes":      schema.SetAttribute{Optional: true, ElementType: textType, MarkdownDescription: "`query`, `chat` and `feedback` by default."},
			"expires_in":  schema.Int64Attribute{Optional: true, MarkdownDescription: "After how many seconds it expires at the latest; an hour by default.", Validators: []validator.Int64{int64validator.AtLeast(60)}},
			"id":          schema.StringAttribute{Computed: true, MarkdownDescription: "Its id."},
			"expires_at":  schema.StringAttribute{Computed: true, MarkdownDescription: "When it expires at the latest."},
			"api_key":     schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The secret."},
		},
	}
}

func (e *ephemeralKey) Configure(_ context.Context, request ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	if configured, ok := request.ProviderData.(*client); ok {
		e.client = configured
	}
}

func (e *ephemeralKey) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var model ephemeralKeyModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	life := time.Duration(defaultLifeSeconds) * time.Second
	if !model.ExpiresIn.IsNull() {
		life = time.Duration(model.ExpiresIn.ValueInt64()) * time.Second
	}
	body := object{
		"name":        model.Name.ValueString(),
		"environment": model.Environment.ValueString(),
		"expires_at":  time.Now().Add(life).UTC().Format(time.RFC3339),
	}
	if !model.Scopes.IsNull() {
		var scopes []string
		response.Diagnostics.Append(model.Scopes.ElementsAs(ctx, &scopes, false)...)
		body["scopes"] = scopes
	}
	issued, err := e.client.create(ctx, fill(apiKey.collection, object{"kb_id": model.KbID.ValueString()}), body)
	if err != nil {
		report(&response.Diagnostics, "create a key for this run", err, apiKey.types())
		return
	}
	model.ID = types.StringValue(issued.text("id"))
	model.ExpiresAt = types.StringValue(issued.text("expires_at"))
	model.APIKey = types.StringValue(issued.text("api_key"))
	response.Diagnostics.Append(response.Result.Set(ctx, &model)...)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "id", []byte(`"`+issued.text("id")+`"`))...)
}

func (e *ephemeralKey) Close(ctx context.Context, request ephemeral.CloseRequest, response *ephemeral.CloseResponse) {
	text, diagnostics := request.Private.GetKey(ctx, "id")
	response.Diagnostics.Append(diagnostics...)
	id, err := parseJSON(string(text))
	if err != nil {
		return
	}
	_, err = e.client.send(ctx, http.MethodDelete, fill(apiKey.item, object{"id": id}), nil, "")
	if !hasCode(err, "not_found") {
		report(&response.Diagnostics, "delete the key of this run", err, apiKey.types())
	}
}
