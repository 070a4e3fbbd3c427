terraform {
  required_version = ">= 1.11"
  required_providers {
    latchkey = {
      source = "latchkey/latchkey"
    }
  }
}

resource "latchkey_knowledge_base" "this" {
  name        = var.name
  description = var.description
}

resource "latchkey_settings" "this" {
  count = var.settings == null ? 0 : 1

  kb_id                   = latchkey_knowledge_base.this.id
  top_k                   = var.settings.top_k
  answer_threshold        = var.settings.answer_threshold
  system_prompt           = var.settings.system_prompt
  rate_limit_per_minute   = var.settings.rate_limit_per_minute
  rate_limit_per_end_user = var.settings.rate_limit_per_end_user
  daily_message_limit     = var.settings.daily_message_limit
  allowed_origins         = var.settings.allowed_origins
  retention_days          = var.settings.retention_days
  key_max_age_days        = var.settings.key_max_age_days
}

resource "latchkey_member" "this" {
  for_each = var.members

  kb_id   = latchkey_knowledge_base.this.id
  user_id = each.key
  role    = each.value
}

resource "latchkey_api_key" "this" {
  for_each = var.environments

  kb_id                  = latchkey_knowledge_base.this.id
  name                   = "${var.name} ${each.key}"
  environment            = each.value.live ? "live" : "test"
  scopes                 = each.value.scopes
  allowed_ips            = each.value.allowed_ips
  expires_at             = each.value.expires_at
  rate_limit_per_minute  = each.value.rate_limit_per_minute
  budget                 = each.value.budget
  secret_version         = each.value.secret_version
  rotation_grace_seconds = each.value.rotation_grace_seconds

  # key_max_age_days applies to keys that are created after it is set.
  depends_on = [latchkey_settings.this]
}
