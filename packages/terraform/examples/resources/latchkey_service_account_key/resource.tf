resource "latchkey_service_account_key" "ci" {
  service_account_id = latchkey_service_account.deployment.id
  name               = "CI"
  scopes             = ["documents:write", "keys:read"]
  allowed_ips        = ["192.0.2.0/24"]
}
