resource "latchkey_webhook" "alerts" {
  kb_id  = latchkey_knowledge_base.handbook.id
  url    = "https://shop.example.com/hooks/latchkey"
  events = ["document.failed", "api_key.used_after_revocation"]
}
