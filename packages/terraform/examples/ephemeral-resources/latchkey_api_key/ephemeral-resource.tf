ephemeral "latchkey_api_key" "check" {
  kb_id       = latchkey_knowledge_base.handbook.id
  name        = "Check of the deployment"
  environment = "test"
  scopes      = ["query"]
  expires_in  = 600
}
