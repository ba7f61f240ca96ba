"""Moving scenes for other programs: glTF for viewers and slides, VTKHDF for ParaView."""
