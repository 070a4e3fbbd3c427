variable "name" {
  type        = string
  description = "The name of the knowledge base; names of keys begin with it."
}

variable "description" {
  type        = string
  default     = null
  description = "What it is about."
}

variable "environments" {
  type = map(object({
    live                   = optional(bool, false)
    scopes                 = optional(set(string), ["query", "chat", "feedback"])
    allowed_ips            = optional(set(string))
    expires_at             = optional(string)
    rate_limit_per_minute  = optional(number)
    secret_version         = optional(number, 1)
    rotation_grace_seconds = optional(number, 86400)
    budget = optional(object({
      period   = string
      messages = optional(number)
      tokens   = optional(number)
      cost     = optional(number)
      soft     = optional(number)
    }))
  }))
  default     = {}
  description = "Each gets a key of its own, such as `{ staging = {}, production = { live = true } }`. Another `secret_version` rotates it."

  validation {
    condition     = alltrue([for name, _ in var.environments : can(regex("^\\S+$", name))])
    error_message = "Names of environments must not have white space."
  }
}

variable "members" {
  type        = map(string)
  default     = {}
  description = "Roles by user or `group:` and a group's name, such as `{ \"group:support\" = \"viewer\" }`."

  validation {
    condition     = alltrue([for role in values(var.members) : contains(["viewer", "member", "owner"], role)])
    error_message = "A role is viewer, member or owner."
  }
}

variable "settings" {
  type = object({
    top_k                   = optional(number)
    answer_threshold        = optional(number)
    system_prompt           = optional(string)
    rate_limit_per_minute   = optional(number)
    rate_limit_per_end_user = optional(number)
    daily_message_limit     = optional(number)
    allowed_origins         = optional(set(string))
    retention_days          = optional(number)
    key_max_age_days        = optional(number)
  })
  default     = null
  description = "Settings that differ from the defaults."
}
