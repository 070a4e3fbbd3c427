package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const allowedIPs = "Addresses and CIDR ranges that may use it; any, if it is not set."

// What a key has, apart from what it opens: an attribute that is new in the API is added here and below.
var keyFields = []string{
	"name", "description", "expires_at", "rate_limit_per_minute", "rate_limit_per_end_user", "budget", "allowed_ips",
	"principals", "self_rotation", "sender_constraint",
}

var apiKey = &kind{
	name: "api_key",
	noun: "API key",
	description: "An API key of a knowledge base, or of several. The state has its id, never its secret: the ephemeral resource " +
		"`latchkey_secret` hands that over, in the run that creates or rotates the key.\n\n" +
		"Whoever rotates it outside Terraform does not disturb it: the resource then stands for the successor. If it is " +
		"revoked, the next run creates another one. Destroying it ends its predecessors too.\n\n" +
		"Give each key of a knowledge base a name of its own: by what is configured, a creation that was interrupted is " +
		"recognised and continued within 24 hours, instead of leaving a second key behind.",
	collection: "/kbs/{kb_id}/api-keys",
	item:       "/api-keys/{id}",
	identity:   []string{"id"},
	created:    append([]string{"environment", "kbs", "scopes", "filter"}, keyFields...),
	changeable: append([]string{"scopes", "filter"}, keyFields...),
	hasSecret:  true,
	attributes: withRotation(attributes{
		"id":                      id(),
		"kb_id":                   mainKbID(),
		"kbs":                     sharedKbs(),
		"environment":             fixedText("`live` or `test`.", stringvalidator.OneOf("live", "test")),
		"name":                    requiredText("The application that uses it: 1 to 100 characters.", trimmed),
		"description":             text("At most 1000 characters.", stringvalidator.LengthAtLeast(1)),
		"expires_at":              expiresAt(),
		"rate_limit_per_minute":   number("Requests per minute; the knowledge base's limit, if it is not set."),
		"rate_limit_per_end_user": number("Requests per minute of one end user."),
		"budget":                  budget("What the key and its successors may use together."),
		"allowed_ips":             texts(allowedIPs),
		"scopes":                  keptTexts("`query`, `chat`, `feedback` (these three by default), `documents:read`, `documents:write`. Not with `kbs`."),
		"filter":                  freeJSON("The documents that it may read: `jsonencode` of a filter. Not with `kbs`."),
		"principals":              textsOrNone("The principals whose documents it may read where access rules apply: " + principals + "."),
		"sender_constraint": schema.SingleNestedAttribute{
			Optional: true, MarkdownDescription: "The key pair that each request has to prove (DPoP).",
			Attributes: attributes{
				"type": schema.StringAttribute{Required: true, MarkdownDescription: "`dpop`."},
				"jkt":  schema.StringAttribute{Required: true, MarkdownDescription: "The SHA-256 thumbprint (RFC 7638) of the public key."},
			},
		},
		"self_rotation": schema.SingleNestedAttribute{
			Optional: true, MarkdownDescription: "Lets the holder rotate the key with the key itself.",
			Attributes: attributes{"grace_seconds": schema.Int64Attribute{Required: true, MarkdownDescription: "How long the old key still works then."}},
		},
		"prefix":     computedText("Identifies it in lists."),
		"created_at": createdAt(),
	}),
	observed: observedKey,
	check: []resource.ConfigValidator{
		resourcevalidator.ExactlyOneOf(path.MatchRoot("kb_id"), path.MatchRoot("kbs")),
		resourcevalidator.Conflicting(path.MatchRoot("kbs"), path.MatchRoot("scopes")),
		resourcevalidator.Conflicting(path.MatchRoot("kbs"), path.MatchRoot("filter")),
	},
	settle: followRotation,
	plan: func(ctx context.Context, request *resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
		planRotation(ctx, request, response)
		planScopes(ctx, request, response)
	},
	remove: deleteKey,
	adapt: func(answer, prior object) {
		opened, _ := answer["kbs"].([]any)
		if prior["kbs"] == nil && len(opened) < 2 {
			answer["kbs"] = nil
		} else {
			// It has one in each of its knowledge bases.
			answer["filter"] = nil
		}
	},
}

func mainKbID() schema.StringAttribute {
	attribute := keptText("The id of its knowledge base; of the main one where `kbs` has several.")
	attribute.PlanModifiers = append(attribute.PlanModifiers, stringplanmodifier.RequiresReplaceIfConfigured())
	return attribute
}

func sharedKbs() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true,
		MarkdownDescription: "Up to 20 knowledge bases instead of `kb_id`. The first one is the main one: its settings apply, and its members manage the key. " +
			"A change replaces the key.",
		PlanModifiers: []planmodifier.List{listplanmodifier.RequiresReplace()},
		NestedObject: schema.NestedAttributeObject{Attributes: attributes{
			"kb_id":  requiredText("The id of the knowledge base."),
			"scopes": schema.SetAttribute{Required: true, ElementType: textType, MarkdownDescription: "What the key may do there."},
			"filter": freeJSON("The documents that it may read there: `jsonencode` of a filter."),
		}},
	}
}

// planScopes plans the service's default, unless each knowledge base has scopes of its own.
func planScopes(ctx context.Context, request *resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	var scopes types.Set
	var kbs types.List
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("scopes"), &scopes)...)
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("kbs"), &kbs)...)
	if scopes.IsNull() && kbs.IsNull() {
		response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root("scopes"), []string{"query", "chat", "feedback"})...)
	}
}

func init() {
	apiKey.create = createKey(apiKey, func(planned object) string {
		if planned["kbs"] != nil {
			return "/api-keys"
		}
		return apiKey.collection
	})
	update := updateKey(apiKey)
	apiKey.update = func(ctx context.Context, c *client, now values) (object, error) {
		if now.planned["kbs"] != nil {
			// Those of the main one: a change of them replaces the key.
			now.planned["scopes"], now.prior["scopes"] = nil, nil
		}
		return update(ctx, c, now)
	}
}
