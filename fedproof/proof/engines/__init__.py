"""Decision procedures behind one interface: SMT-LIB text in, sat, unsat or unknown out."""
