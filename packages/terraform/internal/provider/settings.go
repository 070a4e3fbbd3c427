package provider

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// settings are there with their knowledge base: creating them changes those that are configured, deleting them restores
// the defaults of these.
var settings = &kind{
	name: "settings",
	noun: "knowledge base's settings",
	description: "The settings of a knowledge base. What is not set here is left as it is; what is taken out of the configuration, " +
		"and what is set here when the resource is destroyed, goes back to its default. " +
		"An import takes none of them over: the next apply sends those that are configured, and leaves the others.",
	item:     "/kbs/{kb_id}/settings",
	identity: []string{"kb_id"},
	attributes: attributes{
		"kb_id":                   kbID(),
		"system_prompt":           text("What the model is told."),
		"temperature":             schema.Float64Attribute{Optional: true, MarkdownDescription: "Of the model, from 0 to 2."},
		"model":                   text("One of the models that the service offers."),
		"fallback_to_extractive":  schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether answers are quoted while the model fails."},
		"originals":               text("Who may open the originals of documents: `members` or `readers`.", stringvalidator.OneOf("members", "readers")),
		"default_access":          text("Who may read documents without a rule: `members` or nobody (`closed`).", stringvalidator.OneOf("members", "closed")),
		"top_k":                   number("How many passages are found, 1 to 50."),
		"min_score":               schema.Float64Attribute{Optional: true, MarkdownDescription: "The least score of a passage."},
		"answer_threshold":        schema.Float64Attribute{Optional: true, MarkdownDescription: "Answers of less confidence are not given, from 0 to 1."},
		"refusal_text":            freeJSON("What is answered if the documents do not: `jsonencode` of a text, or of an object by language."),
		"greeting":                freeJSON("What a greeting is answered: `jsonencode` of a text, or of an object by language."),
		"history_messages":        number("How many messages of a conversation the model sees, 0 to 100."),
		"chunk_size":              number("Words in a passage, 20 to 2000."),
		"chunk_overlap":           number("Words that neighbouring passages share, 0 to 500."),
		"ocr":                     text("Whether scans are recognised: `auto`, `always` or `off`.", stringvalidator.OneOf("auto", "always", "off")),
		"ocr_max_pages":           number("How many pages of a document are recognised, 1 to 2000."),
		"rate_limit_per_minute":   number("Requests per minute of a key that has no limit of its own."),
		"rate_limit_per_end_user": number("Requests per minute of an end user."),
		"budget_per_end_user":     budget("What an end user may use, over all keys."),
		"daily_message_limit":     number("Answered questions in a day."),
		"allowed_origins":         texts("Origins whose pages may ask with client tokens."),
		"retention_days":          number("After how many days conversations are deleted, 1 to 3650."),
		"key_max_age_days":        number("How many days a new key works at most, 1 to 3650."),
		"legal_hold":              schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether nothing can be deleted or overwritten. Only owners change it."},
	},
	isPartial: true,
}

func init() {
	types := settings.types()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(types)), func(name string) bool { return name == "kb_id" })
	settings.create = func(ctx context.Context, c *client, now values) (object, error) {
		return c.patch(ctx, fill(settings.item, now.planned), pick(now.planned, names))
	}
	settings.update = func(ctx context.Context, c *client, now values) (object, error) {
		return c.patch(ctx, fill(settings.item, now.prior), now.changed(names, types))
	}
	settings.remove = func(ctx context.Context, c *client, prior object) error {
		defaults := object{}
		for name := range pick(prior, names) {
			defaults[name] = nil
		}
		_, err := c.patch(ctx, fill(settings.item, prior), defaults)
		return err
	}
}
