package provider

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
)

const memberPath = "/kbs/{kb_id}/members/{user_id}"

func putMember(ctx context.Context, c *client, now values) (object, error) {
	return c.send(ctx, http.MethodPut, fill(memberPath, now.planned), pick(now.planned, []string{"role"}), "")
}

var member = &kind{
	name:        "member",
	noun:        "member",
	description: "A member of a knowledge base: a user or a group, with a role. One who is there already gets the role of the configuration.",
	item:        memberPath,
	identity:    []string{"kb_id", "user_id"},
	attributes: attributes{
		"kb_id":      kbID(),
		"user_id":    fixedText("The user, or `group:` and the name of a group, as the identity provider knows them."),
		"role":       requiredText("`viewer`, `member` or `owner`.", stringvalidator.OneOf("viewer", "member", "owner")),
		"created_at": createdAt(),
	},
	create: putMember,
	update: putMember,
	read:   findInList("/kbs/{kb_id}/members", "user_id"),
}
