terraform import latchkey_member.support 'kb_01kafdp6ygf4rs4s2cr5cvzwkc/group:support'
