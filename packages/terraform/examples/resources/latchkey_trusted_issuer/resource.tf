resource "latchkey_trusted_issuer" "actions" {
  kb_id    = latchkey_knowledge_base.handbook.id
  issuer   = "https://token.actions.githubusercontent.com"
  audience = "latchkey-handbook"
  scopes   = ["query"]
  subject  = "repo:shop/web:*"
  claims   = jsonencode({ repository = "shop/web" })
}
