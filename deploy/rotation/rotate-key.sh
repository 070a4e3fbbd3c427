#!/bin/sh
# Lets the API key in a file rotate itself once the file is older than ROTATE_AFTER_DAYS (30), and replaces
# the file. Runs every hour, so that a run that failed is repeated soon; see README.md.
#   LATCHKEY_URL=https://kb.example.com rotate-key.sh /etc/shop/latchkey-key
set -eu
umask 077
file=$(readlink -f -- "$1")
days=${ROTATE_AFTER_DAYS:-30}
case $days in '' | *[!0-9]*) echo "ROTATE_AFTER_DAYS must be a number of days" >&2 && exit 2 ;; esac

# Of two runs the second one finds a new file.
exec 9>"$file.lock"
flock 9
old=$(find "$file" -mmin "+$((days * 1440))")
[ -n "$old" ] || exit 0

new_works() { LATCHKEY_API_KEY=$(cat "$file.new") latchkey key show >/dev/null; }

# A run that failed late has left the only copy of the successor.
if ! { [ -s "$file.new" ] && [ "$file.new" -nt "$file" ] && new_works; }; then
  LATCHKEY_API_KEY=$(cat "$file")
  export LATCHKEY_API_KEY
  # If the answer is lost, the next run gets the same successor by it. Nobody can guess it who has the old key.
  [ -s "$file.attempt" ] || od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$file.attempt"
  sync "$file.attempt"
  # Written only when there is an answer, so that a refusal leaves that copy.
  new=$(latchkey key rotate --idempotency-key "$(cat "$file.attempt")")
  printf '%s\n' "$new" >"$file.new"
  new_works
fi

# The file is replaced only by a key that works, and as a whole, also if the machine stops here.
sync "$file.new"
mv "$file.new" "$file"
rm -f "$file.attempt"
