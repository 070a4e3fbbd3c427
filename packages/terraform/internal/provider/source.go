package provider

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var source = &kind{
	name:        "source",
	noun:        "source",
	description: "A website, bucket, Git repository, folder, space of Confluence, WebDAV server or mailbox that a knowledge base is kept in step with.",
	collection:  "/kbs/{kb_id}/sources",
	item:        "/sources/{id}",
	identity:    []string{"id"},
	created:     []string{"type", "name", "config", "schedule", "on_delete"},
	changeable:  []string{"name", "config", "schedule", "on_delete"},
	rewritten:   []string{"config"},
	attributes: attributes{
		"id":    id(),
		"kb_id": kbID(),
		"type":  fixedText("`website`, `s3`, `git`, `folder`, `confluence`, `webdav`, `imap` or `oikb`.", stringvalidator.OneOf("website", "s3", "git", "folder", "confluence", "webdav", "imap", "oikb")),
		"name":  requiredText("1 to 200 characters.", trimmed),
		"config": func() schema.StringAttribute {
			attribute := freeJSON("Where it is: `jsonencode` of what its type needs.")
			attribute.Optional, attribute.Required = false, true
			return attribute
		}(),
		"credentials_wo": schema.MapAttribute{
			Optional: true, Sensitive: true, WriteOnly: true, ElementType: textType,
			MarkdownDescription: "What opens it, such as `{ token = … }`. It is sent when the source is created, and when `credentials_wo_version` changes. It is not stored.",
			Validators:          []validator.Map{mapvalidator.AlsoRequires(path.MatchRoot("credentials_wo_version"))},
		},
		"credentials_wo_version": number("Another number sends `credentials_wo` again; without credentials, it removes them."),
		"schedule": schema.SingleNestedAttribute{
			Optional: true, MarkdownDescription: "When it is run; only by hand, if it is not set.",
			Attributes: attributes{
				"every_minutes": number("From 1. Set this or `cron`."),
				"cron":          text("Five fields: minute, hour, day, month, day of the week."),
				"timezone":      text("Of `cron`, such as `Europe/Berlin`."),
			},
		},
		"on_delete": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString("delete"),
			MarkdownDescription: "What becomes of a document that is gone at the source: `delete` or `keep`.",
			Validators:          []validatorOfText{stringvalidator.OneOf("delete", "keep")},
		},
		"paused":           schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false), MarkdownDescription: "Whether it is not run."},
		"delete_documents": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether its documents are deleted with it; they stay, if it is not set."},
		"created_at":       createdAt(),
	},
	observed: map[string]data.Attribute{
		"state":           data.StringAttribute{Computed: true, MarkdownDescription: "`active`, `failing`, `needs_confirmation` or `paused`."},
		"has_credentials": data.BoolAttribute{Computed: true, MarkdownDescription: "Whether the service has credentials of it."},
		"last_synced_at":  data.StringAttribute{Computed: true, MarkdownDescription: "The end of the last run that was complete."},
	},
	adapt: func(answer, prior object) {
		answer["paused"] = answer["state"] == "paused"
		// The service names the time zone that applies where none is configured.
		configured, _ := prior["schedule"].(map[string]any)
		schedule, _ := answer["schedule"].(map[string]any)
		if configured != nil && configured["timezone"] == nil && schedule["timezone"] == "UTC" {
			delete(schedule, "timezone")
		}
	},
}

func init() {
	types := source.types()
	source.create = func(ctx context.Context, c *client, now values) (object, error) {
		body := pick(now.planned, source.created)
		if now.configured["credentials_wo"] != nil {
			credentials, err := findCredentials(now)
			if err != nil {
				return nil, err
			}
			body["credentials"] = credentials
		}
		answer, err := c.create(ctx, fill(source.collection, now.planned), body)
		if err != nil || now.planned["paused"] != true {
			return answer, err
		}
		paused, err := c.patch(ctx, fill(source.item, answer), object{"state": "paused"})
		if err != nil {
			return answer, err
		}
		return paused, nil
	}
	source.update = func(ctx context.Context, c *client, now values) (object, error) {
		body := now.changed(source.changeable, types)
		if len(now.changed([]string{"credentials_wo_version"}, types)) > 0 {
			credentials, err := findCredentials(now)
			if err != nil {
				return nil, err
			}
			body["credentials"] = credentials
		}
		if paused, isChanged := now.changed([]string{"paused"}, types)["paused"]; isChanged {
			body["state"] = map[any]string{true: "paused", false: "active"}[paused]
		}
		return c.patch(ctx, fill(source.item, now.prior), body)
	}
	source.remove = func(ctx context.Context, c *client, prior object) error {
		at := fill(source.item, prior)
		if prior["delete_documents"] == true {
			at += "?documents=delete"
		}
		_, err := c.send(ctx, http.MethodDelete, at, nil, "")
		return err
	}
}

// findCredentials refuses credentials of which a part is missing, such as a secret that was issued in another run.
func findCredentials(now values) (any, error) {
	credentials, _ := now.configured["credentials_wo"].(map[string]any)
	for name, value := range credentials {
		if value == nil {
			return nil, fmt.Errorf("credentials_wo.%s is null; leave it out, or issue the secret in this run", name)
		}
	}
	return now.configured["credentials_wo"], nil
}
