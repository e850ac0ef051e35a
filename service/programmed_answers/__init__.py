"""Programmed answers: moves that a player leaves for the seat, which the service plays when their turn comes."""
