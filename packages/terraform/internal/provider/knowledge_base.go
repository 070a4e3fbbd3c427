package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

var knowledgeBase = &kind{
	name:        "knowledge_base",
	noun:        "knowledge base",
	description: "A knowledge base. Whoever creates it is its owner. Deleting it deletes everything in it, and its API keys stop at once.",
	collection:  "/kbs",
	item:        "/kbs/{id}",
	identity:    []string{"id"},
	created:     []string{"name", "description"},
	changeable:  []string{"name", "description"},
	attributes: attributes{
		"id":          id(),
		"name":        requiredText("1 to 100 characters.", trimmed),
		"description": text("At most 1000 characters.", stringvalidator.LengthAtLeast(1)),
		"created_at":  createdAt(),
	},
	observed: map[string]data.Attribute{
		"role":           data.StringAttribute{Computed: true, MarkdownDescription: "The role of the credential in it."},
		"document_count": data.Int64Attribute{Computed: true, MarkdownDescription: "The number of its documents."},
		"passages":       data.Int64Attribute{Computed: true, MarkdownDescription: "The number of their passages."},
		"vectors":        data.Int64Attribute{Computed: true, MarkdownDescription: "The number of passages that can be found by meaning."},
	},
}
