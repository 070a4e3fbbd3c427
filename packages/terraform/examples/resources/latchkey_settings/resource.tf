resource "latchkey_settings" "handbook" {
  kb_id                 = latchkey_knowledge_base.handbook.id
  top_k                 = 8
  retention_days        = 90
  allowed_origins       = ["https://shop.example.com"]
  greeting              = jsonencode({ en = "Hello! Ask me about orders.", de = "Hallo! Fragen Sie mich nach Bestellungen." })
  rate_limit_per_minute = 600

  budget_per_end_user = {
    period   = "day"
    messages = 50
  }
}
