-- Creates the functions of HyperLogLog sketches. Only a superuser may, or a user that the server's package allows.
CREATE EXTENSION IF NOT EXISTS hll SCHEMA public;
