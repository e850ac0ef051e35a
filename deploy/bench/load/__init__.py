"""`cabildo bench load`: mixed use beside three abusers."""
