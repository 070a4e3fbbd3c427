resource "latchkey_api_key" "shop" {
  kb_id       = latchkey_knowledge_base.handbook.id
  name        = "Shop backend"
  environment = "live"
  allowed_ips = ["192.0.2.0/24"]
  filter      = jsonencode({ type = "eq", key = "audience", value = "customers" })

  budget = {
    period   = "month"
    messages = 10000
    soft     = 0.8
  }

  # Another number rotates it; the old key works for an hour more.
  secret_version         = 1
  rotation_grace_seconds = 3600
}

# One key for two knowledge bases.
resource "latchkey_api_key" "shop_and_returns" {
  name        = "Shop and returns"
  environment = "live"

  kbs = [
    { kb_id = latchkey_knowledge_base.handbook.id, scopes = ["query", "chat"] },
    { kb_id = latchkey_knowledge_base.returns.id, scopes = ["query"] },
  ]
}

resource "latchkey_knowledge_base" "returns" {
  name = "Returns"
}
