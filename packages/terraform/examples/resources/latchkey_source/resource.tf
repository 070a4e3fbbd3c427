variable "git_token" {
  type      = string
  ephemeral = true
}

resource "latchkey_source" "docs" {
  kb_id  = latchkey_knowledge_base.handbook.id
  type   = "git"
  name   = "Documentation"
  config = jsonencode({ url = "https://git.example.com/docs.git", branch = "main" })

  credentials_wo         = { token = var.git_token }
  credentials_wo_version = 1

  schedule = {
    cron     = "0 3 * * *"
    timezone = "Europe/Berlin"
  }
}
