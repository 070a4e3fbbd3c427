output "id" {
  value       = latchkey_knowledge_base.this.id
  description = "The id of the knowledge base."
}

output "keys" {
  value       = { for name, key in latchkey_api_key.this : name => { id = key.id, prefix = key.prefix, secret_version = key.secret_version } }
  description = "The key of each environment: the `id` for the ephemeral resource `latchkey_secret`, and the `secret_version` for what stores the secret."
}
