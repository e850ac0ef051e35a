"""Table talk: messages at tables and in tournaments, kept beside the log; no event, bundle or archive holds one."""
