"""Requests and standbys: answered from one, refused while commits wait for one."""
