#!/bin/sh
# Asks a question with an API key, by curl: LATCHKEY_API_KEY=… ./ask.sh "<question>"
set -eu

: "${LATCHKEY_API_KEY:?put the API key into LATCHKEY_API_KEY}"
question=$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/[\\"]/\\&/g')

# The body comes by standard input: the arguments of a process are there for everybody to read.
# --retry waits as long as Retry-After says, after 429 and 503 among others.
curl --silent --show-error --fail-with-body --retry 4 --retry-max-time 60 \
  --header 'Content-Type: application/json' --data-binary @- \
  "${LATCHKEY_URL:-http://localhost:3000}/api/v1/chat" <<END
{"api_key": "$LATCHKEY_API_KEY", "message": "$question"}
END
