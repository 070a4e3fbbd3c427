package provider

var serviceAccountKey = &kind{
	name: "service_account_key",
	noun: "service account's key",
	description: "A key of a service account, `rag_admin_…`. The state has its id, never its secret: the ephemeral resource " +
		"`latchkey_secret` hands that over." + personsOnly,
	collection: "/service-accounts/{service_account_id}/api-keys",
	item:       "/api-keys/{id}",
	identity:   []string{"id"},
	created:    []string{"name", "scopes", "expires_at", "allowed_ips"},
	changeable: []string{"name", "expires_at", "allowed_ips"},
	hasSecret:  true,
	attributes: withRotation(attributes{
		"id":                 id(),
		"service_account_id": fixedText("The id of the service account."),
		"name":               requiredText("The program that uses it: 1 to 100 characters.", trimmed),
		"scopes":             fixedTexts("What it opens, such as `keys:write` and `documents:write`."),
		"expires_at":         expiresAt(),
		"allowed_ips":        texts(allowedIPs),
		"prefix":             computedText("Identifies it in lists."),
		"created_at":         createdAt(),
	}),
	observed: observedKey,
	settle:   followRotation,
	plan:     planRotation,
	remove:   deleteKey,
}

func init() {
	serviceAccountKey.create = createKey(serviceAccountKey, func(object) string { return serviceAccountKey.collection })
	serviceAccountKey.update = updateKey(serviceAccountKey)
}
