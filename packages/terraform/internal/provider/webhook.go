package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
)

var webhook = &kind{
	name: "webhook",
	noun: "webhook",
	description: "A receiver of events. The service makes the secret that signs them; the state never has it, and the ephemeral " +
		"resource `latchkey_secret` hands it over in the run that creates the webhook or rotates its secret. A webhook that the " +
		"service has deactivated, because its receiver failed, is activated by the next run.",
	collection: "/kbs/{kb_id}/webhooks",
	item:       "/webhooks/{id}",
	identity:   []string{"id"},
	created:    []string{"url", "events", "description"},
	changeable: []string{"url", "events", "description", "state"},
	hasSecret:  true,
	attributes: attributes{
		"id":          id(),
		"kb_id":       kbID(),
		"url":         requiredText("An https URL on a public address."),
		"events":      schema.SetAttribute{Required: true, ElementType: textType, MarkdownDescription: "The events that are delivered to it, such as `document.failed`."},
		"description": text("At most 1000 characters.", stringvalidator.LengthAtLeast(1)),
		"state": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString("active"),
			MarkdownDescription: "`active` or `deactivated`.",
			Validators:          []validatorOfText{stringvalidator.OneOf("active", "deactivated")},
		},
		"secret_version": secretVersion("Another number rotates the secret. For 24 hours deliveries are signed with the old one too."),
		"created_at":     createdAt(),
	},
}

func init() {
	types := webhook.types()
	webhook.create = func(ctx context.Context, c *client, now values) (object, error) {
		issued, err := c.create(ctx, fill(webhook.collection, now.planned), pick(now.planned, webhook.created))
		if err != nil || now.planned["state"] == "active" {
			return issued, err
		}
		return withSecret(issued)(c.patch(ctx, fill(webhook.item, issued), pick(now.planned, []string{"state"})))
	}
	webhook.update = func(ctx context.Context, c *client, now values) (object, error) {
		changed := now.changed(webhook.changeable, types)
		if !now.rotates() {
			return c.patch(ctx, fill(webhook.item, now.prior), changed)
		}
		name := fmt.Sprintf("terraform-%v", now.planned["secret_version"])
		issued, err := c.createNamed(ctx, fill("/webhooks/{id}/rotate-secret", now.prior), nil, name)
		if err != nil || len(changed) == 0 {
			return issued, err
		}
		return withSecret(issued)(c.patch(ctx, fill(webhook.item, now.prior), changed))
	}
}

// withSecret adds the secret of an answer to that of a later request, or gives the earlier answer if that failed.
func withSecret(issued object) func(object, error) (object, error) {
	return func(answer object, err error) (object, error) {
		if err != nil {
			return issued, err
		}
		answer["secret"] = issued["secret"]
		return answer, nil
	}
}
