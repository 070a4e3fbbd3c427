package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
)

var trustedIssuer = &kind{
	name: "trusted_issuer",
	noun: "trusted issuer",
	description: "An issuer whose tokens are exchanged for client tokens, so that their holders need no stored key. " +
		"Any change replaces it, and ends the client tokens that were issued for it.",
	collection: "/kbs/{kb_id}/trusted-issuers",
	item:       "/trusted-issuers/{id}",
	identity:   []string{"kb_id", "id"},
	created:    []string{"issuer", "audience", "scopes", "subject", "claims", "filter"},
	attributes: attributes{
		"id":         id(),
		"kb_id":      kbID(),
		"issuer":     fixedText("The `iss` of its tokens: an https URL."),
		"audience":   fixedText("The only `aud` of its tokens."),
		"scopes":     fixedTexts("The scopes of the client tokens: `query`, `chat`, `feedback`."),
		"subject":    fixedOptionalText("The `sub` of its tokens, in which `*` matches any characters."),
		"claims":     fixedJSON("Further claims with their values: `jsonencode` of an object."),
		"filter":     fixedJSON("The documents that may be read: `jsonencode` of a filter."),
		"api_key_id": computedText("The key under which its client tokens are counted. It has no secret."),
		"created_at": createdAt(),
	},
	read: findInList("/kbs/{kb_id}/trusted-issuers", "id"),
}

func fixedOptionalText(description string) (attribute textAttribute) {
	attribute = text(description)
	attribute.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplace()}
	return attribute
}
