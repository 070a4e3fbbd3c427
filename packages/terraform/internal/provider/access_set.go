package provider

import (
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

const principals = "`everyone`, `user:<id>` or `group:<name>`"

var accessSet = &kind{
	name:        "access_set",
	noun:        "access set",
	description: "A rule that says who may read the documents that refer to it. One that documents use cannot be deleted.",
	collection:  "/kbs/{kb_id}/access-sets",
	item:        "/access-sets/{id}",
	identity:    []string{"kb_id", "id"},
	created:     []string{"name", "allow", "deny"},
	changeable:  []string{"name", "allow", "deny"},
	attributes: attributes{
		"id":         id(),
		"kb_id":      kbID(),
		"name":       requiredText("1 to 100 characters.", trimmed),
		"allow":      schema.SetAttribute{Required: true, ElementType: textType, MarkdownDescription: "Who may read: " + principals + "; nobody if it is empty."},
		"deny":       textsOrNone("Who may not, though allowed: " + principals + "."),
		"created_at": createdAt(),
	},
	observed: map[string]data.Attribute{
		"document_count": data.Int64Attribute{Computed: true, MarkdownDescription: "The number of documents that use it."},
	},
	read: findInList("/kbs/{kb_id}/access-sets", "id"),
}
