-- Why the mail server took no mail at the last attempt; null when it only refused this mail.
ALTER TABLE outgoing_mails ADD COLUMN fault text;
