"""How kernels become machine code, where that is kept, and how they call each other."""
