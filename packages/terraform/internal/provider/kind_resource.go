package provider

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// kindResource is the managed resource of a kind.
type kindResource struct {
	*kind
	client *client
}

var (
	_ resource.ResourceWithImportState      = &kindResource{}
	_ resource.ResourceWithModifyPlan       = &kindResource{}
	_ resource.ResourceWithConfigValidators = &kindResource{}
	_ resource.ResourceWithConfigure        = &kindResource{}
)

func (r *kindResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "latchkey_" + r.name
}

func (r *kindResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: r.description, Attributes: r.attributes}
}

func (r *kindResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if configured, ok := request.ProviderData.(*client); ok {
		r.client = configured
	}
}

func (r *kindResource) ConfigValidators(context.Context) []resource.ConfigValidator { return r.check }

func (r *kindResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	now := r.encode(&response.Diagnostics, nil, &request.Plan.Raw, &request.Config.Raw)
	if response.Diagnostics.HasError() {
		return
	}
	create := r.create
	if create == nil {
		create = func(ctx context.Context, c *client, now values) (object, error) {
			return c.create(ctx, fill(r.collection, now.planned), pick(now.planned, r.created))
		}
	}
	answer, err := create(ctx, r.client, now)
	// What exists is in the state, even if a later step of its creation failed: then the next run replaces it.
	if answer != nil {
		r.keepSecret(answer)
		response.Diagnostics.Append(r.keepWritten(ctx, response.Private, answer, now.planned)...)
		response.State.Raw = r.decode(&response.Diagnostics, answer, request.Plan.Raw)
	}
	report(&response.Diagnostics, "create "+article(r.noun), err, r.types())
}

func (r *kindResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	now := r.encode(&response.Diagnostics, &request.State.Raw, nil, nil)
	if response.Diagnostics.HasError() {
		return
	}
	answer, err := r.find(ctx, r.client, now.prior)
	if err == nil && r.settle != nil {
		answer, err = r.settle(ctx, r.client, answer)
	}
	if errors.Is(err, errGone) || hasCode(err, "not_found") {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, "read "+article(r.noun), err, r.types())
		return
	}
	response.Diagnostics.Append(r.showChanged(ctx, response.Private, answer)...)
	response.State.Raw = r.decode(&response.Diagnostics, answer, request.State.Raw)
	if r.hasSecret {
		r.client.secrets.setPlanned(answer.text("id"), true)
	}
}

func (r *kindResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	now := r.encode(&response.Diagnostics, &request.State.Raw, &request.Plan.Raw, &request.Config.Raw)
	if response.Diagnostics.HasError() {
		return
	}
	if r.hasSecret {
		r.client.secrets.setPlanned(now.prior.text("id"), false)
	}
	update := r.update
	if update == nil {
		update = r.patch
	}
	answer, err := update(ctx, r.client, now)
	if answer != nil {
		r.keepSecret(answer)
		response.Diagnostics.Append(r.keepWritten(ctx, response.Private, answer, now.changed(r.rewritten, r.types()))...)
		response.State.Raw = r.decode(&response.Diagnostics, answer, request.Plan.Raw)
	}
	report(&response.Diagnostics, "change "+article(r.noun), err, r.types())
}

func (r *kindResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	now := r.encode(&response.Diagnostics, &request.State.Raw, nil, nil)
	if response.Diagnostics.HasError() {
		return
	}
	remove := r.remove
	if remove == nil {
		remove = func(ctx context.Context, c *client, prior object) error {
			_, err := c.send(ctx, http.MethodDelete, fill(r.item, prior), nil, "")
			return err
		}
	}
	if err := remove(ctx, r.client, now.prior); !hasCode(err, "not_found") {
		report(&response.Diagnostics, "delete "+article(r.noun), err, r.types())
	}
}

// ImportState takes what names it, separated by slashes; Read does the rest.
func (r *kindResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	parts := strings.SplitN(request.ID, "/", len(r.identity))
	if len(parts) != len(r.identity) {
		response.Diagnostics.AddError("Wrong id to import", "It must be "+strings.Join(r.identity, "/"))
		return
	}
	for n, name := range r.identity {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), parts[n])...)
	}
}

func (r *kindResource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if r.client == nil || request.Plan.Raw.IsNull() {
		return
	}
	if r.hasSecret && !request.State.Raw.IsNull() {
		var prior types.String
		response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &prior)...)
		r.client.secrets.setPlanned(prior.ValueString(), true)
	}
	if r.plan != nil {
		r.plan(ctx, &request, response)
	}
}

// patch sends the fields that change, and no others.
func (r *kindResource) patch(ctx context.Context, c *client, now values) (object, error) {
	return c.patch(ctx, fill(r.item, now.prior), now.changed(r.changeable, r.types()))
}

func (r *kindResource) encode(diagnostics *diag.Diagnostics, prior, planned, configured *tftypes.Value) values {
	all := [3]object{}
	for n, value := range []*tftypes.Value{prior, planned, configured} {
		if value == nil {
			continue
		}
		encoded, err := encodeObject(*value, r.types())
		if err != nil {
			diagnostics.AddError("Cannot use the values of "+article(r.noun), err.Error())
		}
		all[n] = encoded
	}
	return values{all[0], all[1], all[2]}
}

func (r *kindResource) decode(diagnostics *diag.Diagnostics, answer object, before tftypes.Value) tftypes.Value {
	answer = maps.Clone(answer)
	prior, err := encodeObject(before, r.types())
	if err != nil {
		diagnostics.AddError("Cannot use the values of "+article(r.noun), err.Error())
		return before
	}
	if r.adapt != nil {
		r.adapt(answer, prior)
	}
	if r.isPartial {
		maps.DeleteFunc(answer, func(name string, _ any) bool { return prior[name] == nil })
	}
	decoded, err := decodeObject(answer, r.types(), before)
	if err != nil {
		diagnostics.AddError("Cannot read the answer about "+article(r.noun), err.Error())
	}
	return decoded
}

// keepSecret keeps a secret for latchkey_secret, for the time of this run.
func (r *kindResource) keepSecret(answer object) {
	for _, name := range []string{"api_key", "secret"} {
		if secret := answer.text(name); secret != "" {
			r.client.secrets.keep(answer.text("id"), secret)
		}
	}
}
