package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// kindData is the data source of a kind: the attributes of the resource, found by what names it.
type kindData struct {
	*kind
	client *client
}

func (d *kindData) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = "latchkey_" + d.name
}

func (d *kindData) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = data.Schema{MarkdownDescription: "Reads " + article(d.noun) + ".", Attributes: d.dataAttributes()}
}

func (d *kindData) dataAttributes() map[string]data.Attribute {
	result := map[string]data.Attribute{}
	for name, attribute := range d.attributes {
		if isRead(name, attribute) {
			result[name] = asData(attribute)
		}
	}
	for _, name := range d.identity {
		result[name] = data.StringAttribute{Required: true, MarkdownDescription: d.attributes[name].GetMarkdownDescription()}
	}
	maps.Copy(result, d.observed)
	return result
}

// isRead says whether the service knows the attribute, and not the configuration alone.
func isRead(name string, attribute schema.Attribute) bool {
	return !attribute.IsWriteOnly() && !isOfConfiguration[name]
}

// isOfConfiguration has what says how Terraform does something.
var isOfConfiguration = map[string]bool{
	"credentials_wo_version": true, "delete_documents": true, "rotation_grace_seconds": true, "secret_version": true,
}

func (d *kindData) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if configured, ok := request.ProviderData.(*client); ok {
		d.client = configured
	}
}

func (d *kindData) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	types := map[string]attr.Type{}
	for name, attribute := range d.dataAttributes() {
		types[name] = attribute.GetType()
	}
	wanted, err := encodeObject(request.Config.Raw, types)
	if err == nil {
		var answer object
		if answer, err = d.find(ctx, d.client, wanted); err == nil {
			if d.adapt != nil {
				d.adapt(answer, wanted)
			}
			response.State.Raw, err = decodeObject(answer, types, request.Config.Raw)
		}
	}
	report(&response.Diagnostics, "read "+article(d.noun), err, types)
}
