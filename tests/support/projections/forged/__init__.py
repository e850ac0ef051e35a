"""Bundles by a forger who holds the keys of log and witness: each tries one refusal or remark of one check alone."""
