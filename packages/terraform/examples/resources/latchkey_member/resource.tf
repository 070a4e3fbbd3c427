resource "latchkey_member" "support" {
  kb_id   = latchkey_knowledge_base.handbook.id
  user_id = "group:support"
  role    = "viewer"
}
