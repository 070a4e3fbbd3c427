terraform {
  required_providers {
    latchkey = {
      source = "latchkey/latchkey"
    }
  }
}

# The key of a service account is in LATCHKEY_API_KEY, so that it is in no plan.
provider "latchkey" {
  endpoint = "https://kb.example.com"
}
