//! Pictures that authors ship: read whatever they are, given back as PNG.
