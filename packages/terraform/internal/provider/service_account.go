package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
)

const personsOnly = " Only a person can do this, so the provider needs a `user_id` or a `token` instead of an `api_key`."

var serviceAccount = &kind{
	name:        "service_account",
	noun:        "service account",
	description: "An account for a program that manages what people manage on the dashboard." + personsOnly,
	collection:  "/service-accounts",
	item:        "/service-accounts/{id}",
	identity:    []string{"id"},
	created:     []string{"name", "kbs", "all"},
	changeable:  []string{"name", "kbs"},
	attributes: attributes{
		"id":   id(),
		"name": requiredText("1 to 100 characters.", trimmed),
		"kbs": schema.SetNestedAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Its knowledge bases, all of which you must own. Leave it out with `all`: it then has those that it creates.",
			PlanModifiers:       []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
			NestedObject: schema.NestedAttributeObject{Attributes: attributes{
				"kb_id": requiredText("The id of the knowledge base."),
				"role":  requiredText("`viewer`, `member` or `owner`.", stringvalidator.OneOf("viewer", "member", "owner")),
			}},
		},
		"all":        fixedFlag("Whether it may create knowledge bases, which it then owns."),
		"created_at": createdAt(),
	},
}
