-- Addresses that nobody confirmed are deleted with their codes.
CREATE INDEX email_addresses_by_expiry ON email_addresses (expires) WHERE confirmed IS NULL;
