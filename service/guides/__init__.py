"""Guided first games: fixed deals whose decisions are explained; the rules check every move of them."""
