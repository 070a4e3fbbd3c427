resource "latchkey_service_account" "deployment" {
  name = "Deployment"

  kbs = [
    { kb_id = latchkey_knowledge_base.handbook.id, role = "member" },
  ]
}
