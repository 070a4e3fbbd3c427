// Package provider manages knowledge bases of a Latchkey service.
package provider

import (
	"context"
	"net/http"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var kinds = []*kind{
	knowledgeBase, settings, member, apiKey, serviceAccount, serviceAccountKey, source, webhook, trustedIssuer, accessSet,
}

type latchkey struct{ version string }

var _ provider.ProviderWithEphemeralResources = &latchkey{}

// New makes the provider of a version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &latchkey{version} }
}

type configuration struct {
	Endpoint      types.String `tfsdk:"endpoint"`
	APIKey        types.String `tfsdk:"api_key"`
	UserID        types.String `tfsdk:"user_id"`
	Token         types.String `tfsdk:"token"`
	GatewaySecret types.String `tfsdk:"gateway_secret"`
}

func (p *latchkey) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName, response.Version = "latchkey", p.version
}

func (p *latchkey) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	attribute := func(isSensitive bool, description string) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, Sensitive: isSensitive, MarkdownDescription: description}
	}
	response.Schema = schema.Schema{
		MarkdownDescription: "Manages knowledge bases of a Latchkey service, their keys, members, sources, webhooks and rules.",
		Attributes: map[string]schema.Attribute{
			"endpoint":       attribute(false, "The address of the service, such as `https://kb.example.com`; by default `LATCHKEY_URL`."),
			"api_key":        attribute(true, "A key of a service account, `rag_admin_…`; by default `LATCHKEY_API_KEY`, where it stays out of plans."),
			"user_id":        attribute(false, "The person to act for, instead of a key: for service accounts, which only persons manage, and in development; by default `LATCHKEY_USER`."),
			"token":          attribute(true, "A person's token, where the service has an identity provider; by default `LATCHKEY_TOKEN`."),
			"gateway_secret": attribute(true, "With `user_id`, where the service is behind a gateway; by default `LATCHKEY_GATEWAY_SECRET`."),
		},
	}
}

func (p *latchkey) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var configured configuration
	response.Diagnostics.Append(request.Config.Get(ctx, &configured)...)
	// What one of the others says in the configuration goes before a key or a user of the environment.
	isConfigured := !configured.APIKey.IsNull() || !configured.UserID.IsNull() || !configured.Token.IsNull()
	choose := func(name string, value types.String, variable string, isIdentity bool) string {
		if value.IsUnknown() {
			response.Diagnostics.AddAttributeError(path.Root(name), "Unknown "+name, "Set it to what is known before the run, such as "+variable+" in the environment.")
		}
		if value.ValueString() != "" || (isIdentity && isConfigured) {
			return value.ValueString()
		}
		return os.Getenv(variable)
	}
	endpoint := choose("endpoint", configured.Endpoint, "LATCHKEY_URL", false)
	key := choose("api_key", configured.APIKey, "LATCHKEY_API_KEY", true)
	user := choose("user_id", configured.UserID, "LATCHKEY_USER", true)
	token := choose("token", configured.Token, "LATCHKEY_TOKEN", true)
	gatewaySecret := choose("gateway_secret", configured.GatewaySecret, "LATCHKEY_GATEWAY_SECRET", false)
	if response.Diagnostics.HasError() {
		return
	}
	if !strings.HasPrefix(endpoint, "http://") && !strings.HasPrefix(endpoint, "https://") {
		response.Diagnostics.AddAttributeError(path.Root("endpoint"), "No endpoint", "Set endpoint or LATCHKEY_URL to the address of the service, such as https://kb.example.com.")
	}
	headers := map[string]string{"User-Agent": "terraform-provider-latchkey/" + p.version, "Accept": "application/json"}
	switch {
	case key != "" && !strings.HasPrefix(key, "rag_admin_"):
		response.Diagnostics.AddAttributeError(path.Root("api_key"), "Not the key of a service account", "api_key or LATCHKEY_API_KEY must be a key that begins with rag_admin_; those of partners manage nothing.")
	case key != "" && (user != "" || token != ""):
		response.Diagnostics.AddError("Two credentials", "Set either the key of a service account (api_key, LATCHKEY_API_KEY) or a person (user_id, token).")
	case key != "":
		headers["Authorization"] = "Bearer " + key
	case token != "" || user != "":
		if token != "" {
			headers["Authorization"] = "Bearer " + token
		}
		if user != "" {
			headers["X-Idp-User-Id"] = user
		}
		if gatewaySecret != "" {
			headers["X-Gateway-Secret"] = gatewaySecret
		}
	default:
		response.Diagnostics.AddError("No credential", "Set api_key or LATCHKEY_API_KEY to a key of a service account.")
	}
	configuredClient := &client{
		endpoint: strings.TrimRight(endpoint, "/"),
		headers:  headers,
		http:     &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		secrets:  newIssuedSecrets(),
	}
	response.ResourceData, response.DataSourceData, response.EphemeralResourceData = configuredClient, configuredClient, configuredClient
}

func (p *latchkey) Resources(context.Context) []func() resource.Resource {
	all := []func() resource.Resource{}
	for _, of := range kinds {
		all = append(all, func() resource.Resource { return &kindResource{kind: of} })
	}
	return all
}

func (p *latchkey) DataSources(context.Context) []func() datasource.DataSource {
	all := []func() datasource.DataSource{}
	for _, of := range kinds {
		all = append(all, func() datasource.DataSource { return &kindData{kind: of} })
	}
	return all
}

func (p *latchkey) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return &ephemeralKey{} },
		func() ephemeral.EphemeralResource { return &ephemeralSecret{} },
	}
}
