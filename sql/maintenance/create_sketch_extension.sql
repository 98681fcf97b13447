-- Makes the functions of HyperLogLog sketches. Only superusers may, or those whom the server's package lets.
CREATE EXTENSION IF NOT EXISTS hll SCHEMA public;
