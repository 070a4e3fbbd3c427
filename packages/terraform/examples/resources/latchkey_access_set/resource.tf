resource "latchkey_access_set" "support" {
  kb_id = latchkey_knowledge_base.handbook.id
  name  = "Support"
  allow = ["group:support", "user:zoe"]
  deny  = ["group:contractors"]
}
